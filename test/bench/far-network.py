"""A network with latency and loss between two namespaces, where the kernel has no netem.

far-network.py NAMESPACE NEAR FAR: a TUN device with the address NEAR here and one with FAR in the namespace. Lines of the
input set the delay of each direction in ms and the share of packets that are lost, in percent: "150 0.5".
"""

import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
PACKET = 65536


def open_tun(name):
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


def ip(*args):
    subprocess.run(["ip", *args], check=True)


def main():
    namespace, near, far = sys.argv[1:]
    names = [f"{namespace}n", f"{namespace}f"]
    here, there = (open_tun(name) for name in names)
    ip("addr", "add", near, "peer", far, "dev", names[0])
    ip("link", "set", names[0], "up", "txqueuelen", "10000")
    ip("link", "set", names[1], "netns", namespace)
    ip("-n", namespace, "addr", "add", far, "peer", near, "dev", names[1])
    ip("-n", namespace, "link", "set", names[1], "up", "txqueuelen", "10000")
    ip("-n", namespace, "link", "set", "lo", "up")
    print("ready", flush=True)
    delay, loss, queue, number = 0.0, 0.0, [], 0
    while True:
        now = time.monotonic()
        while queue and queue[0][0] <= now:
            _, _, fd, packet = heapq.heappop(queue)
            try:
                os.write(fd, packet)
            except BlockingIOError:
                pass
        wait = max(0, queue[0][0] - now) if queue else None
        readable, _, _ = select.select([here, there, sys.stdin], [], [], wait)
        for fd in readable:
            if fd is sys.stdin:
                line = sys.stdin.readline()
                if line == "":
                    return
                delay, loss = (float(part) for part in line.split())
                print("set", flush=True)
                continue
            try:
                packet = os.read(fd, PACKET)
            except BlockingIOError:
                continue
            if random.random() * 100 < loss:
                continue
            number += 1
            heapq.heappush(queue, (time.monotonic() + delay / 1000, number, there if fd == here else here, packet))


main()
