"""Calls the server with pytraccar, and prints what it was given as JSON."""

import asyncio
import json
import sys

import aiohttp
from pytraccar import ApiClient, TraccarAuthenticationException


async def main(host: str, port: int, username: str, password: str) -> None:
    # cookies of addresses are kept as well
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        client = ApiClient(host=host, port=port, username=username, password=password, client_session=session)
        try:
            devices = await client.get_devices()
        except TraccarAuthenticationException:
            print(json.dumps({"refused": True}))
            return
        result = {
            "server": await client.get_server(),
            "devices": devices,
            "positions": await client.get_positions(),
        }
        print(json.dumps(result), flush=True)
        messages = 0

        async def receive(data) -> None:
            nonlocal messages
            print(json.dumps(data), flush=True)
            messages += 1
            if messages == 2:
                raise SystemExit

        await client.subscribe(receive)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]))
