//! Reads one frame with another project's parser: null where it does not know the message.
use chrono::DateTime;
use serde_json::{json, Value};

const KNOWN_DATE: [u8; 6] = [1; 6];

pub fn frames(project: &str, input: &Value) -> Value {
    // a parser that panics does not know the message
    std::panic::set_hook(Box::new(|_| {}));
    let read = match project {
        "gt06" => gt06,
        "nom-teltonika" => nom_teltonika,
        "teltonika-rs" => teltonika_rs,
        "jt808" => jt808,
        _ => calamp,
    };
    let answer = |frame: &Value| {
        let bytes = hex::decode(frame.as_str().unwrap_or_default()).unwrap_or_default();
        std::panic::catch_unwind(|| read(&bytes)).unwrap_or(None).unwrap_or(Value::Null)
    };
    input.as_array().expect("an array").iter().map(answer).collect()
}

fn time(milliseconds: i64) -> Option<String> {
    DateTime::from_timestamp_millis(milliseconds).map(|time| time.to_rfc3339())
}

fn gt06(bytes: &[u8]) -> Option<Value> {
    use gt06::Message;
    let message = gt06::parse_packet(bytes).ok()?;
    let fix = match &message {
        Message::Location(location) => Some(&location.fix),
        Message::Alarm(alarm) => Some(&alarm.fix),
        _ => None,
    };
    let positions: Vec<Value> = fix
        .filter(|fix| fix.gps_positioned)
        .map(|fix| {
            json!({
                "latitude": fix.latitude,
                "longitude": fix.longitude,
                "time": time(fix.time * 1000),
                "speed": fix.speed_kmh,
                "course": fix.course,
            })
        })
        .into_iter()
        .collect();
    Some(json!({ "positions": positions, "reply": message.ack_bytes().map(hex::encode) }))
}

fn nom_teltonika(bytes: &[u8]) -> Option<Value> {
    use nom_teltonika::{decoder, encoder, protocol::FrameView, protocol::GprsMessageType};
    if decoder::parse_imei(bytes).is_ok_and(|(rest, _)| rest.is_empty()) {
        return Some(json!({ "positions": [], "reply": "01" }));
    }
    let (_, frame) = decoder::parse_frame(bytes).ok()?;
    match frame {
        FrameView::Avl(packet) => {
            let count = packet.records().len() as u32;
            let positions: Vec<Value> = packet
                .records()
                .filter(|record| record.gps().is_position_valid())
                .map(|record| {
                    let gps = record.gps();
                    json!({
                        "time": time(u64::from(record.timestamp()) as i64),
                        "latitude": gps.latitude_degrees(),
                        "longitude": gps.longitude_degrees(),
                        "altitude": gps.altitude_meters_signed(),
                        "course": gps.angle_degrees,
                        "speed": gps.speed_kph,
                    })
                })
                .collect();
            Some(json!({ "positions": positions, "reply": hex::encode(encoder::encode_avl_ack(count)) }))
        }
        FrameView::Gprs(packet) => {
            let commands: Vec<String> = packet
                .messages()
                .filter(|message| message.kind() == GprsMessageType::Command)
                .map(|message| String::from_utf8_lossy(message.payload()).into_owned())
                .collect();
            Some(json!({ "positions": [], "commands": commands }))
        }
        _ => None,
    }
}

fn teltonika_rs(bytes: &[u8]) -> Option<Value> {
    let (_, packet) = teltonika_rs::parser::parse_teltonika_codec_8(bytes).ok()?;
    let positions: Vec<Value> = packet
        .avl_data
        .iter()
        .filter(|record| record.gps.visible_satellites > 0)
        .map(|record| {
            json!({
                "time": time(record.timestamp as i64),
                "latitude": record.gps.latitude,
                "longitude": record.gps.longitude,
                "altitude": record.gps.altitude,
                "course": record.gps.angle,
                "speed": record.gps.speed,
            })
        })
        .collect();
    Some(json!({ "positions": positions }))
}

/// A location report. Its date is left out: the crate reads the BCD digits as binary numbers.
fn jt808(bytes: &[u8]) -> Option<Value> {
    use ::jt808::{bytes::JtBytes, codec::Jt808Codec, models::jt0x0200::Jt0x0200, models::Jt808BodyTrans};
    use tokio_util::codec::Decoder;
    let message = Jt808Codec::new().decode(&mut bytes::BytesMut::from(bytes)).ok()??;
    if message.id != 0x0200 {
        return None;
    }
    let mut body = message.get_body().to_vec();
    body[22..28].copy_from_slice(&KNOWN_DATE);
    let location = Jt0x0200::fill_new(&mut JtBytes::from(bytes::Bytes::from(body)), &message);
    let sign = |bit: u32| if location.gps.state & bit == 0 { 1.0 } else { -1.0 };
    let is_valid = location.gps.state & 2 != 0;
    let position = json!({
        "latitude": f64::from(location.gps.lat) / 1e6 * sign(4),
        "longitude": f64::from(location.gps.lng) / 1e6 * sign(8),
        "altitude": location.gps.altitude,
        "speed": f64::from(location.gps.speed) / 10.0,
        "course": location.gps.direction,
    });
    Some(json!({ "positions": if is_valid { vec![position] } else { vec![] } }))
}

/// An event report. Altitude and speed are left out: the crate scales both as it does degrees.
fn calamp(bytes: &[u8]) -> Option<Value> {
    use calamp_rs::{message_header::MessageType, Message};
    let report = Message::parse(bytes);
    if !matches!(report.message_header.message_type, MessageType::EventReport) {
        return None;
    }
    let position = json!({
        "latitude": report.msg.latitude,
        "longitude": report.msg.longitude,
        "course": report.msg.heading,
        "time": time(i64::from(report.msg.time_of_fix) * 1000),
    });
    Some(json!({ "positions": if report.msg.fix_status.invalid_fix { vec![] } else { vec![position] } }))
}
