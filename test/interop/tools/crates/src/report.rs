//! A device that encodes with another project's code, and reads the answers with it.
use chrono::{DateTime, Local};
use serde_json::{json, Value};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub fn positions(project: &str, port: u16, input: &Value) -> Value {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let imei = input["imei"].as_str().expect("an IMEI");
    let reported = input["positions"].as_array().expect("positions");
    match project {
        "nom-teltonika" => nom_teltonika(&mut stream, imei, reported),
        _ => jt808(&mut stream, imei, reported),
    }
}

fn moment(position: &Value) -> DateTime<Local> {
    let text = position["time"].as_str().expect("a time");
    DateTime::parse_from_rfc3339(text).expect("a time").with_timezone(&Local)
}

fn number(position: &Value, key: &str) -> f64 {
    position[key].as_f64().expect("a number")
}

fn exchange(stream: &mut TcpStream, request: &[u8], length: usize) -> Vec<u8> {
    stream.write_all(request).expect("sent");
    let mut answer = vec![0; length];
    stream.read_exact(&mut answer).expect("an answer");
    answer
}

fn nom_teltonika(stream: &mut TcpStream, imei: &str, reported: &[Value]) -> Value {
    use nom_teltonika::encoder::{encode_avl_ack, encode_avl_frame, encode_imei_approval, AvlRecordFields};
    use nom_teltonika::protocol::{AvlCodec, AvlTimestamp, GpsElement, Priority};
    let mut login = vec![0, imei.len() as u8];
    login.extend_from_slice(imei.as_bytes());
    let approval = exchange(stream, &login, 1);
    assert_eq!(approval, encode_imei_approval(true));
    let records: Vec<AvlRecordFields> = reported
        .iter()
        .map(|position| {
            let gps = GpsElement {
                longitude_raw: (number(position, "longitude") * 1e7).round() as i32,
                latitude_raw: (number(position, "latitude") * 1e7).round() as i32,
                altitude_meters: number(position, "altitude") as u16,
                angle_degrees: number(position, "course") as u16,
                satellites: 9,
                speed_kph: number(position, "speed") as u16,
            };
            let time = AvlTimestamp::from(moment(position).timestamp_millis() as u64);
            AvlRecordFields::new(time, Priority::Low, gps)
        })
        .collect();
    let frame = encode_avl_frame(AvlCodec::Codec8Extended, &records).expect("a frame");
    let acknowledged = exchange(stream, &frame, 4);
    assert_eq!(acknowledged, encode_avl_ack(records.len() as u32));
    json!([hex::encode(approval), hex::encode(acknowledged)])
}

fn jt808(stream: &mut TcpStream, phone: &str, reported: &[Value]) -> Value {
    use ::jt808::bytes::JtBytes;
    use ::jt808::codec::Jt808Codec;
    use ::jt808::models::{jt0x0200::Jt0x0200, Jt0x0001, Jt0x0100, Jt0x0102, Jt0x8100, Jt808, Jt808BodyTrans};
    use ::jt808::JtPackage;
    use jt_util::{bytes_bcd::BytesBCD, bytes_gbk::BytesGBK};
    use tokio_util::codec::Decoder;

    let mut sim = BytesBCD::new();
    sim.set_val(phone, 12);
    let package = JtPackage::new(sim, false, 0, 1000);
    let mut answers = vec![];
    let mut exchange = |request: &[u8], wanted: u16| -> Jt808 {
        stream.write_all(request).expect("sent");
        let mut codec = Jt808Codec::new();
        let mut received = bytes::BytesMut::new();
        loop {
            let mut one = [0];
            stream.read_exact(&mut one).expect("an answer");
            received.extend_from_slice(&one);
            if let Some(message) = codec.decode(&mut received).expect("a message") {
                answers.push(hex::encode(message.get_bytes()));
                assert_eq!(message.id, wanted);
                return message;
            }
        }
    };

    let text = |value: &str| BytesGBK::new_with_bytes(bytes::Bytes::copy_from_slice(value.as_bytes()));
    let mut registration = Jt0x0100 {
        province: 44,
        city: 300,
        maker: text("ABCDE"),
        terminal_model: text("MODEL"),
        terminal_id: text("0000001"),
        color: 1,
        name: text("B12345"),
    };
    let message = exchange(&package.serialize(0x0100, 0, &mut registration), 0x8100);
    let answer = Jt0x8100::fill_new(&mut JtBytes::from(message.get_body()), &message);
    assert_eq!((answer.answer_sn, answer.result), (0, 0));
    let mut authentication = Jt0x0102 { authority_code: answer.authority_code, ..Default::default() };
    let message = exchange(&package.serialize(0x0102, 0, &mut authentication), 0x8001);
    let answer = Jt0x0001::fill_new(&mut JtBytes::from(message.get_body()), &message);
    assert_eq!((answer.answer_sn, answer.answer_id, answer.result), (1, 0x0102, 0));

    for (place, position) in reported.iter().enumerate() {
        // the crate has no constructor; a report of zeros and a date that it can read is filled in
        let mut blank = vec![0; 22];
        blank.extend_from_slice(&[1; 6]);
        let mut report = Jt0x0200::fill_new(&mut JtBytes::from(bytes::Bytes::from(blank)), &Jt808::new());
        let (latitude, longitude) = (number(position, "latitude"), number(position, "longitude"));
        let south = if latitude < 0.0 { 4 } else { 0 };
        let west = if longitude < 0.0 { 8 } else { 0 };
        report.gps.state = 1 | 2 | south | west;
        report.gps.lat = (latitude.abs() * 1e6).round() as u32;
        report.gps.lng = (longitude.abs() * 1e6).round() as u32;
        report.gps.altitude = number(position, "altitude") as u16;
        report.gps.speed = (number(position, "speed") * 10.0) as u16;
        report.gps.direction = number(position, "course") as u16;
        report.gps.time = moment(position);
        let message = exchange(&package.serialize(0x0200, 0, &mut report), 0x8001);
        let answer = Jt0x0001::fill_new(&mut JtBytes::from(message.get_body()), &message);
        assert_eq!((answer.answer_sn, answer.answer_id, answer.result), (2 + place as u16, 0x0200, 0));
    }
    json!(answers)
}
