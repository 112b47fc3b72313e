"""Reads frames with another project's parser, as read.cjs does: `read.py <project>`."""
import json
import sys

KNOTS = 1.852


def defined(**values):
    return {key: value for key, value in values.items() if value is not None}


def pyais(data):
    from pyais import decode
    from pyais.exceptions import AISBaseException

    sentences = [line[line.index("!AI"):] for line in data.decode("latin-1").split("\r\n") if "!AI" in line]
    positions = []
    for sentence in sentences:
        try:
            found = decode(sentence)
        except AISBaseException:
            return None
        # numbers that stand for what is not available
        if getattr(found, "lat", 91) == 91 or getattr(found, "lon", 181) == 181:
            continue
        positions.append(
            defined(
                latitude=found.lat,
                longitude=found.lon,
                speed=found.speed * (1 if found.msg_type == 9 else KNOTS) if found.speed < 102.3 else None,
                course=found.course if found.course < 360 else None,
                altitude=getattr(found, "alt", None),
                attributes=defined(
                    heading=getattr(found, "heading", 511) if getattr(found, "heading", 511) < 511 else None
                ),
            )
        )
    return {"positions": positions}


def pynmea2(data):
    import pynmea2

    text = data.decode("latin-1")
    found = pynmea2.parse(text[text.index("$"):].strip(), check=False)
    if not getattr(found, "is_valid", False) or not found.lat:
        return None
    place = {"latitude": found.latitude, "longitude": found.longitude}
    if found.sentence_type == "RMC":
        place["time"] = found.datetime.isoformat() if found.datestamp else None
        place["speed"] = None if found.spd_over_grnd is None else found.spd_over_grnd * KNOTS
        place["course"] = found.true_course
    elif found.sentence_type == "GGA":
        place["altitude"] = found.altitude
        place["attributes"] = defined(
            sat=int(found.num_sats) if found.num_sats else None,
            hdop=float(found.horizontal_dil) if found.horizontal_dil else None,
        )
    return {"positions": [defined(**place)]}


def read(data):
    try:
        return {"pyais": pyais, "pynmea2": pynmea2}[sys.argv[1]](data)
    except Exception:
        # what a parser cannot read it does not know
        return None


print(json.dumps([read(bytes.fromhex(frame)) for frame in json.load(sys.stdin)]))
