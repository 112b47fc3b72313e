//! Parsers and encoders of crates.io: `interop read <project>` reads frames (a JSON array of hex on stdin) and prints
//! what the project made of each; `interop report <project> <port>` is a device that encodes with the project's code.
//! Both as `read.cjs` and `device.cjs` do.
mod read;
mod report;

use std::io::Read;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("input");
    let input: serde_json::Value = serde_json::from_str(&input).expect("JSON");
    let answers = match arguments[0].as_str() {
        "read" => read::frames(&arguments[1], &input),
        _ => report::positions(&arguments[1], arguments[2].parse().expect("a port"), &input),
    };
    println!("{answers}");
}
