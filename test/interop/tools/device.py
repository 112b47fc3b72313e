"""A device that encodes with another project's code, as device.cjs is: `device.py <project> <port>`."""
import json
import socket
import sys

import calendar
import time

project, port = sys.argv[1], int(sys.argv[2])
reported = json.load(sys.stdin)
connection = socket.create_connection(("127.0.0.1", port), timeout=30)


def seconds(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


def receive(length):
    data = b""
    while len(data) < length:
        chunk = connection.recv(length - len(data))
        if not chunk:
            raise SystemExit("the server closed the connection")
        data += chunk
    return data


def galileosky():
    from galileosky import Packet

    answers = []
    login = Packet()
    login.add(0x03, {"imei": reported["imei"]})
    packets = [login]
    for position in reported["positions"]:
        packet = Packet()
        packet.add(0x03, {"imei": reported["imei"]})
        packet.add(0x20, {"time": seconds(position["time"])})
        packet.add(
            0x30,
            {"nsat": 9, "source_type": 0, "lat": position["latitude"], "lon": position["longitude"]},
        )
        packet.add(0x33, {"speed": position["speed"], "course": position["course"]})
        packet.add(0x34, {"height": position["altitude"]})
        packets.append(packet)
    for packet in packets:
        data, crc = packet.pack(is_archive=False)
        connection.sendall(data)
        answer = receive(3)
        # the project's own judgement of the answer
        Packet.check_crc(crc, answer)
        answers.append(answer.hex())
    return answers


def omnicomm():
    from omnicomm import commands, protocol

    protocol.Protocol.load_command_proto({0x86: "omnicomm.proto.profi_optim_lite_pb2.RecReg"})
    answers = []

    def exchange(command, wanted):
        connection.sendall(protocol.RegistrarProtocol.pack(command))
        data = b""
        while True:
            data += receive(1)
            try:
                answer, _ = protocol.RegistrarProtocol.unpack(data)
            except Exception:
                continue
            if answer.id != wanted:
                raise SystemExit(f"{answer.id:#x} instead of {wanted:#x}")
            answers.append(data.hex())
            return answer

    exchange(commands.Cmd80({"reg_id": int(reported["imei"]), "firmware": 114}), 0x85)
    for number, position in enumerate(reported["positions"]):
        moment = seconds(position["time"])
        value = {
            "rec_id": number,
            "omnicomm_time": moment - commands.Cmd86.BASE_TIME,
            "unix_time": moment,
            "priority": 0,
            "msgs": [
                {
                    "mID": [1],
                    "general": {"Time": moment - commands.Cmd86.BASE_TIME, "FLG": 7, "Uboard": 124},
                    "nav": {
                        "LAT": round(position["latitude"] * 1e7),
                        "LON": round(position["longitude"] * 1e7),
                        "GPSVel": round(position["speed"] * 10),
                        "GPSDir": position["course"],
                        "GPSNSat": 9,
                        "GPSAlt": position["altitude"] * 10,
                    },
                }
            ],
        }
        answer = exchange(commands.Cmd86(value), 0x87)
        if answer.value["rec_id"] != number:
            raise SystemExit(f"record {answer.value['rec_id']} acknowledged instead of {number}")
    return answers


def wialon():
    """The program asks its questions of a person, and goes on for ever."""
    import os
    import tempfile
    import types

    answers = []
    folder = tempfile.TemporaryDirectory()
    track = os.path.join(folder.name, "track.txt")

    def minutes(value, digits):
        return f"{int(abs(value)):0{digits}}{abs(value) % 1 * 60:07.4f}"

    with open(track, "w") as lines:
        for position in reported["positions"]:
            latitude, longitude = position["latitude"], position["longitude"]
            lines.write(f"{minutes(latitude, 2)},{'N' if latitude >= 0 else 'S'},")
            lines.write(f"{minutes(longitude, 3)},{'E' if longitude >= 0 else 'W'}\n")
    given = {
        "protocol": "TCP", "ep": "127.0.0.1", "port": str(port), "ival": "0", "uid": reported["imei"],
        "track_src_type": "File", "src": track, "answer": "no",
    }
    sys.modules["PyInquirer"] = types.SimpleNamespace(prompt=lambda question: {question["name"]: given[question["name"]]})
    sys.modules["appdirs"] = types.SimpleNamespace(user_data_dir=lambda *_: folder.name)
    sys.modules["requests"] = types.SimpleNamespace()
    import wialon_ips

    class Ended(Exception):
        pass

    def pause(_):
        if len(answers) == len(reported["positions"]):
            raise Ended

    def note(value="", *_):
        if isinstance(value, bytes) and value.startswith(b"#A"):
            # the program prints the answer and takes any; one that is given is positive
            if value != b"#ASD#1\r\n":
                raise SystemExit(f"{value} instead of #ASD#1")
            answers.append(value.hex())

    wialon_ips.time = types.SimpleNamespace(sleep=pause)
    wialon_ips.print = note
    sys.argv = sys.argv[:1]
    try:
        wialon_ips.main()
    except Ended:
        return answers
    raise SystemExit("the login failed")


def pynmea2():
    import pynmea2 as nmea

    def angle(value, digits):
        return f"{int(abs(value)):0{digits}}{abs(value) % 1 * 60:07.4f}"

    identity = f"PGID,{reported['imei']}"
    lines = [f"${identity}*{nmea.NMEASentence.checksum(identity):02X}"]
    for position in reported["positions"]:
        moment = time.strptime(position["time"], "%Y-%m-%dT%H:%M:%SZ")
        latitude, longitude = position["latitude"], position["longitude"]
        sentence = nmea.RMC(
            "GP",
            "RMC",
            (
                time.strftime("%H%M%S.00", moment),
                "A",
                angle(latitude, 2),
                "N" if latitude >= 0 else "S",
                angle(longitude, 3),
                "E" if longitude >= 0 else "W",
                f"{position['speed'] / 1.852:.3f}",
                str(position["course"]),
                time.strftime("%d%m%y", moment),
                "",
                "",
                "A",
            ),
        )
        lines.append(str(sentence))
    connection.sendall(("\r\n".join(lines) + "\r\n").encode())
    return []


devices = {"galileosky": galileosky, "omnicomm": omnicomm, "wialon-ips": wialon, "pynmea2": pynmea2}
print(json.dumps(devices[project]()))
