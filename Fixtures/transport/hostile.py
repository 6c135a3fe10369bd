"""A server of hostile HTTP/1 responses for the tests: prints its port, serves until its standard input ends.

  GET  /cases     the table as JSON: name, method, expect ({"status", "body", "trailers"} or {"codes"}, or both), closes
  *    /case/N    the bytes of a case, as in the table
  GET  /own/N     "own N", with the number of the connection in X-Connection

A case has the result that a client must report: the meaning that RFC 9112 gives the bytes, or an error with one of these codes. After
a case that leaves its connection open, the server continues to read, so that a client that reuses the connection gets a response;
`closes` is true if the client must not reuse it.
"""
import itertools
import json
import socket
import sys
import threading
import time

CASES = []
LAST = {}
COUNTER = itertools.count()

FRAMING, PROTOCOL, LOST, LARGE = "invalidFraming", "protocolViolation", "connectionLost", "headersTooLarge"
BODY, INTERIM = "bodyTooLarge", "tooManyInterimResponses"


def case(name, *parts, status=200, body=None, codes=(), trailers=None, method="GET", stays=False, closes=False, flood=None):
    """`parts` are bytes, or seconds to wait; `stays` leaves the connection open; `flood` is sent until the client stops reading."""
    expect = {}
    if body is not None:
        expect.update(status=status, body=body)
    if trailers is not None:
        expect["trailers"] = trailers
    if codes:
        expect["codes"] = list(codes)
    CASES.append({
        "name": name, "method": method, "parts": parts, "expect": expect, "stays": stays, "closes": closes, "flood": flood,
    })


def head(*lines, version="1.1", status="200 OK"):
    return "\r\n".join([f"HTTP/{version} {status}", *lines, "", ""]).encode("latin-1")


POISON = head("Content-Length: 6") + b"poison"
CHUNKED = "Transfer-Encoding: chunked"
HELLO = b"5\r\nhello\r\n0\r\n\r\n"


def folds():
    """RFC 9112 section 5.2."""
    for blank, label in ((" ", "space"), ("\t", "tab"), ("   ", "spaces"), (" \t ", "mixed")):
        case(f"fold with {label} before chunked", head(f"Transfer-Encoding:\r\n{blank}chunked") + HELLO, codes=[FRAMING], body="hello")
        case(f"fold with {label} in a length", head(f"Content-Length: 5\r\n{blank}0") + b"hello" + b"x" * 45, codes=[FRAMING])
        case(f"fold with {label} before a length", head(f"Content-Length:\r\n{blank}5") + b"hello", codes=[FRAMING], body="hello")
        case(f"fold with {label} before close", head("Content-Length: 5", f"Connection:\r\n{blank}close") + b"hello",
             codes=[FRAMING], body="hello", stays=True, closes=True)
        case(f"fold with {label} in another field", head(f"X-Long: a\r\n{blank}b", "Content-Length: 5") + b"hello", body="hello", stays=True)
    case("fold after chunked", head("Transfer-Encoding: chunked\r\n , gzip") + HELLO, codes=[FRAMING])
    case("empty fold after chunked", head("Transfer-Encoding: chunked\r\n ") + HELLO, codes=[FRAMING], body="hello")
    case("empty fold after a length", head("Content-Length: 5\r\n\t") + b"hello", codes=[FRAMING], body="hello")
    case("two folds before chunked", head("Transfer-Encoding:\r\n \r\n chunked") + HELLO, codes=[FRAMING], body="hello")
    case("fold by a bare LF", b"HTTP/1.1 200 OK\r\nTransfer-Encoding:\n chunked\r\n\r\n" + HELLO, codes=[FRAMING], body="hello")
    case("fold of small letters", head("transfer-encoding:\r\n chunked") + HELLO, codes=[FRAMING], body="hello")
    case("fold in keep-alive", head("Content-Length: 5", "Connection: keep-alive\r\n , close") + b"hello",
         codes=[FRAMING], body="hello", stays=True, closes=True)
    case("fold of a field that looks like framing", head("X: y\r\n Transfer-Encoding: chunked", "Content-Length: 5") + b"hello", body="hello")
    case("fold of a field that looks like a length", head("X: y\r\n Content-Length: 3", "Content-Length: 5") + b"hello", body="hello")
    case("fold before the first field", head(" X: y", "Content-Length: 5") + b"hello", codes=[PROTOCOL])
    case("fold of the status line", b"HTTP/1.1 200 OK\r\n\tTransfer-Encoding: chunked\r\n\r\n" + HELLO, codes=[PROTOCOL])
    case("fold in an interim response", b"HTTP/1.1 103 X\r\nContent-Length: 5\r\n 0\r\n\r\n" + head("Content-Length: 5") + b"hello",
         codes=[FRAMING], body="hello")
    case("fold in a 204", head("Content-Length:\r\n 0", status="204 No Content"), codes=[FRAMING], status=204, body="")


def lengths():
    """RFC 9110 section 8.6, RFC 9112 section 6.3."""
    for value in ("5, 6", "6, 5", "5,", ",5", "+5", "-1", "-0", "0x5", "5x", "5 5", "5.0", "5e0", "5;", "\x00", "5\x00", "\x0b5", "5\x0c",
                  "", " ", ",", "9223372036854775808", "18446744073709551617", "99999999999999999999999999", "５", "five", "\"5\"", "5\r6",
                  "0,5", "5,0", "NaN"):
        raw = value.encode("utf-8")
        case(f"length {value!r}", b"HTTP/1.1 200 OK\r\nContent-Length: " + raw + b"\r\n\r\nhello", codes=[FRAMING, PROTOCOL])
    for value in ("5", " 5", "5 ", "\t5\t", "005", "5, 5", "5,5,5", "5 , 5"):
        case(f"length {value!r}", f"HTTP/1.1 200 OK\r\nContent-Length:{value}\r\n\r\nhello".encode(), body="hello", stays=True)
    case("two lengths that differ", head("Content-Length: 5", "Content-Length: 6") + b"hello!", codes=[FRAMING])
    case("two lengths that differ, others between", head("Content-Length: 5", "A: b", "C: d", "content-length: 0") + b"hello", codes=[FRAMING])
    case("two lengths that are the same", head("Content-Length: 5", "CONTENT-LENGTH: 5") + b"hello", body="hello", stays=True)
    case("a length and a worse one", head("Content-Length: 5", "Content-Length: ") + b"hello", codes=[FRAMING, PROTOCOL])
    case("a length of small letters", head("content-length: 5") + b"hello", body="hello", stays=True)
    case("a length of mixed letters", head("cOnTeNt-LeNgTh: 5") + b"hello", body="hello", stays=True)
    for blank in (" ", "\t", "  "):
        case(f"{blank!r} before the colon of a length", head(f"Content-Length{blank}: 5") + b"hello", codes=[FRAMING])
        case(f"{blank!r} before the colon of a coding", head(f"Transfer-Encoding{blank}: chunked") + HELLO, codes=[FRAMING])
        case(f"{blank!r} before the colon of Connection", head("Content-Length: 5", f"Connection{blank}: close") + b"hello",
             codes=[FRAMING], stays=True, closes=True)
    case("a body that is shorter", head("Content-Length: 10") + b"short", codes=[LOST])
    case("a body that does not come", head("Content-Length: 10"), codes=[LOST])
    case("a body that comes later", head("Content-Length: 5"), .03, b"hel", .03, b"lo", body="hello", stays=True)
    case("no length and an end", head("X: y") + b"hello", body="hello")
    case("nothing but a status line", head() + b"hello", body="hello")
    case("no length and no body", head("X: y"), body="")


def codings():
    """RFC 9112 sections 6.1 and 7."""
    for value in ("gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked,chunked", "deflate, chunked", "xchunked", "chunkedx",
                  "chunked;q=1", "chunked ; x", "\"chunked\"", "chun ked", "x, chunked", "identity, chunked", "chunked, identity", "", " ", ",",
                  "chunked\x00", "\x0bchunked", "chunked\x0b", "chunked\r", "c\rhunked", "chunkеd"):
        raw = value.encode("utf-8")
        case(f"coding {value!r}", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + raw + b"\r\n\r\n" + HELLO,
             codes=[FRAMING, PROTOCOL], **({"body": "hello"} if value == "chunked\r" else {}))
    for value in ("chunked", "CHUNKED", "Chunked", "chunKED", " chunked ", "\tchunked\t", "chunked,", ",chunked", " , chunked , "):
        case(f"coding {value!r}", f"HTTP/1.1 200 OK\r\nTransfer-Encoding:{value}\r\n\r\n".encode() + HELLO, body="hello", stays=True)
    case("coding identity", head("Transfer-Encoding: identity") + b"hello", body="hello")
    case("coding identity with a length", head("Transfer-Encoding: identity", "Content-Length: 5") + b"hello", codes=[FRAMING], stays=True)
    case("coding identity after a length", head("Content-Length: 5", "Transfer-Encoding: identity") + b"hello", codes=[FRAMING], stays=True)
    case("chunked in two lines", head(CHUNKED, CHUNKED) + HELLO, codes=[FRAMING])
    case("gzip and chunked in two lines", head("Transfer-Encoding: gzip", CHUNKED) + HELLO, codes=[FRAMING])
    case("both lengths", head(CHUNKED, "Content-Length: 3") + HELLO, body="hello", stays=True, closes=True)
    case("both lengths, the other way round", head("Content-Length: 3", CHUNKED) + HELLO, body="hello", stays=True, closes=True)
    case("both lengths that agree", head("Content-Length: 5", CHUNKED) + HELLO, body="hello", stays=True, closes=True)
    case("both lengths, one of them 0", head("Content-Length: 0", CHUNKED) + HELLO, body="hello", stays=True, closes=True)
    case("both lengths and keep-alive", head("Content-Length: 5", CHUNKED, "Connection: keep-alive") + HELLO, body="hello", stays=True, closes=True)
    case("a bad length and chunked", head("Content-Length: x", CHUNKED) + HELLO, codes=[FRAMING, PROTOCOL])
    case("chunked in 1.0", head(CHUNKED, version="1.0") + HELLO, body="hello", stays=True, closes=True)
    case("chunked in 1.0 with keep-alive", head(CHUNKED, "Connection: keep-alive", version="1.0") + HELLO, body="hello", stays=True, closes=True)
    case("keep-alive and chunked in 1.0", head("Connection: keep-alive", CHUNKED, version="1.0") + HELLO, body="hello", stays=True, closes=True)
    case("both lengths in 1.0", head(CHUNKED, "Content-Length: 5", "Connection: keep-alive", version="1.0") + HELLO, body="hello", stays=True, closes=True)
    case("keep-alive in 1.0", head("Connection: keep-alive", "Content-Length: 5", version="1.0") + b"hello", body="hello", stays=True)
    case("keep-alive and close in 1.0", head("Connection: keep-alive, close", "Content-Length: 5", version="1.0") + b"hello", body="hello", stays=True, closes=True)
    case("1.0", head("Content-Length: 5", version="1.0") + b"hello", body="hello", stays=True, closes=True)
    case("close", head("Content-Length: 5", "Connection: close") + b"hello", body="hello", stays=True, closes=True)
    case("close among others", head("Content-Length: 5", "Connection: x, Close, y") + b"hello", body="hello", stays=True, closes=True)
    case("close in the second line", head("Content-Length: 5", "Connection: x", "Connection: close") + b"hello", body="hello", stays=True, closes=True)


def chunks():
    """RFC 9112 section 7.1."""
    def chunked(name, text, **more):
        case(f"chunks: {name}", head(CHUNKED) + text, **more)

    for size in ("-5", "+5", "0x5", " 5", "\t5", "g", "zz", "", ";", "5_0", "5h", "5 5", "5\x00", "5\r", "５", "\x00", "5\x0b", "05x"):
        chunked(f"size {size!r}", size.encode("utf-8") + b"\r\nhello\r\n0\r\n\r\n", codes=[FRAMING, PROTOCOL])
    for size in ("fffffffffffffffff", "8000000000000000", "ffffffffffffffff", "10000000000000005", "1" + "0" * 30 + "5", "f" * 4000):
        chunked(f"size {size[:20]} of {len(size)} digits", size.encode() + b"\r\nhello\r\n0\r\n\r\n", codes=[FRAMING, PROTOCOL])
    for size in ("5", "05", "0000005", "5 ", "5\t", "5;", "5;a", "5;a=b", "5 ; a = \"b;c\"", "5;" + "x" * 3000, "0000000000000005"):
        chunked(f"size {size[:20]!r} of {len(size)}", size.encode() + b"\r\nhello\r\n0\r\n\r\n", body="hello", stays=True)
    chunked("capital digits", b"A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n", body="01234567890123456789a", stays=True)
    chunked("no last CRLF", b"5\r\nhello\r\n0\r\n", codes=[LOST])
    chunked("half of the last CRLF", b"5\r\nhello\r\n0\r\n\r", codes=[LOST])
    chunked("no last chunk", b"5\r\nhello\r\n", codes=[LOST])
    chunked("half a chunk", b"5\r\nhel", codes=[LOST])
    chunked("half a size", b"5", codes=[LOST])
    chunked("nothing", b"", codes=[LOST])
    chunked("no CRLF after data", b"5\r\nhello0\r\n\r\n", codes=[FRAMING])
    chunked("data that is longer than its size", b"3\r\nhello\r\n0\r\n\r\n", codes=[FRAMING])
    chunked("data that is shorter than its size", b"6\r\nhello\r\n0\r\n\r\n", codes=[FRAMING])
    chunked("two CR after data", b"5\r\nhello\r\r\n0\r\n\r\n", codes=[FRAMING])
    chunked("CR alone after data", b"5\r\nhello\r0\r\n\r\n", codes=[FRAMING])
    chunked("CR in an extension", b"5;a\rb\r\nhello\r\n0\r\n\r\n", codes=[FRAMING])
    chunked("NUL in an extension", b"5;a\x00b\r\nhello\r\n0\r\n\r\n", codes=[FRAMING])
    chunked("an extension that never ends", b"5;" + b"x" * 200_000, codes=[FRAMING])
    chunked("only the last chunk", b"0\r\n\r\n", body="", stays=True)
    chunked("many zeros for the last chunk", b"5\r\nhello\r\n00000\r\n\r\n", body="hello", stays=True)
    chunked("LF alone", b"5\nhello\n0\n\n", codes=[FRAMING], stays=True)
    chunked("LF alone after a size", b"5\nhello\r\n0\r\n\r\n", codes=[FRAMING], stays=True)
    chunked("LF alone after data", b"5\r\nhello\n0\r\n\r\n", codes=[FRAMING], stays=True)
    chunked("LF alone after a trailer", b"5\r\nhello\r\n0\r\nA: b\n\n", body="hello", trailers={"A": "b"}, codes=[FRAMING], stays=True)
    chunked("a trailer", b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", body="hello", trailers={"X-Sum": "1"}, stays=True)
    chunked("trailers that frame", b"5\r\nhello\r\n0\r\nContent-Length: 3\r\nTransfer-Encoding: gzip\r\n\r\n", body="hello", stays=True)
    chunked("a trailer without a colon", b"5\r\nhello\r\n0\r\nno colon\r\n\r\n", codes=[PROTOCOL])
    chunked("a trailer that is cut", b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n", codes=[LOST])
    chunked("a trailer with CR", b"5\r\nhello\r\n0\r\nX: a\rb\r\n\r\n", codes=[FRAMING, PROTOCOL])
    chunked("a trailer line of 1 MB", b"5\r\nhello\r\n0\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n", codes=[LARGE])
    chunked("a trailer line of 5,000 bytes", b"5\r\nhello\r\n0\r\nX: " + b"a" * 5_000 + b"\r\n\r\n", codes=[LARGE])
    chunked("a trailer line of 4,000 bytes", b"5\r\nhello\r\n0\r\nX: " + b"a" * 4_000 + b"\r\n\r\n", body="hello", stays=True)
    chunked("trailers of 1 MB", b"5\r\nhello\r\n0\r\n" + b"X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 20_000 + b"\r\n", codes=[LARGE])
    chunked("100,000 chunks of a byte", b"1\r\nx\r\n" * 100_000 + b"0\r\n\r\n", body="x" * 100_000, stays=True)
    chunked("chunks of every size", b"".join(b"%x\r\n%s\r\n" % (n, b"y" * n) for n in range(1, 300)) + b"0\r\n\r\n", body="y" * 44850, stays=True)
    case("chunks byte by byte", head(CHUNKED), *[bytes([byte]) for byte in b"5;x\r\nhello\r\n1\r\n!\r\n0\r\nA: b\r\n\r\n"],
         body="hello!", trailers={"A": "b"}, stays=True)
    for index in range(1, len(HELLO)):
        case(f"chunks in two parts, from {index}", head(CHUNKED) + HELLO[:index], .005, HELLO[index:], body="hello", stays=True)


def surplus():
    """Bytes after a response don't belong to any request (RFC 9112 section 9.2)."""
    own = head("Content-Length: 5") + b"hello"
    for name, text, more in (
        ("a length", own, {"body": "hello"}), ("chunks", head(CHUNKED) + HELLO, {"body": "hello"}),
        ("chunks and trailers", head(CHUNKED) + b"5\r\nhello\r\n0\r\nA: b\r\n\r\n", {"body": "hello"}),
        ("length 0", head("Content-Length: 0"), {"body": ""}), ("204", head(status="204 No Content"), {"status": 204, "body": ""}),
        ("304", head(status="304 Not Modified"), {"status": 304, "body": ""}),
        ("204 with a length", head("Content-Length: 6", status="204 No Content"), {"status": 204, "body": ""}),
        ("304 with a length", head("Content-Length: 6", status="304 Not Modified"), {"status": 304, "body": ""}),
        ("204 with chunks", head(CHUNKED, status="204 No Content"), {"status": 204, "body": ""}),
        ("HEAD", own[:-5], {"body": "", "method": "HEAD"}), ("HEAD with chunks", head(CHUNKED), {"body": "", "method": "HEAD"}),
    ):
        case(f"after {name}: a response", text + POISON, stays=True, closes=True, **more)
        case(f"after {name}: half a response", text + POISON[:20], stays=True, closes=True, **more)
        case(f"after {name}: half a response, then the rest", text + POISON[:20], .05, POISON[20:], stays=True, closes=True, **more)
        case(f"after {name}: a byte", text + b"x", stays=True, closes=True, **more)
        case(f"after {name}: a line", text + b"\r\n", stays=True, closes=True, **more)
        case(f"after {name}: 100 responses", text + POISON * 2000, stays=True, closes=True, **more)
        case(f"after {name}: nothing", text, stays=True, **more)
    case("after a body that came later: a response", head("Content-Length: 5"), .05, b"hello" + POISON, body="hello", stays=True, closes=True)
    case("after chunks that came later: a response", head(CHUNKED), .05, HELLO + POISON, body="hello", stays=True, closes=True)
    case("after a last chunk that came later: a response", head(CHUNKED) + HELLO[:-5], .05, HELLO[-5:] + POISON, body="hello", stays=True, closes=True)


def interim():
    """RFC 9110 section 15.2."""
    own = head("Content-Length: 5") + b"hello"
    for status in ("100 Continue", "102 Processing", "103 Early Hints", "199 X"):
        case(f"interim {status}", head("A: b", status=status) + own, body="hello", stays=True)
        case(f"interim {status} with a length", head("Content-Length: 3", status=status) + own, body="hello", stays=True)
        case(f"interim {status} with a body", head("Content-Length: 3", status=status) + b"abc" + own, codes=[PROTOCOL, FRAMING])
        case(f"interim {status} with chunks", head(CHUNKED, status=status) + HELLO + own, codes=[PROTOCOL, FRAMING])
    case("interim and no more", head(status="100 Continue"), codes=[LOST])
    case("interim and half a head", head(status="100 Continue") + b"HTTP/1.1 200 OK\r\nContent-", codes=[LOST])
    case("101 that nobody asked for", head("Upgrade: x", "Connection: upgrade", status="101 Switching Protocols") + b"xyz", codes=[PROTOCOL])
    case("interim without end", flood=head("Link: </a>", status="103 Early Hints"), codes=[INTERIM])


def beginnings():
    """RFC 9112 section 4."""
    rest = b"\r\nContent-Length: 5\r\n\r\nhello"
    for line in (b"HTTP/0.9 200 OK", b"HTTP/2.0 200 OK", b"HTTP/2 200 OK", b"HTTP/3 200 OK", b"HTTP/1.2 200 OK", b"HTTP/1.10 200 OK", b"HTTP/11 200 OK",
                 b"HTTP/1 200 OK", b"HTTP/1. 200 OK", b"HTTP/.1 200 OK", b"HTTP/01.1 200 OK", b"HTTP/1.1", b"HTTP/1.1 ", b"HTTP/1.1 20", b"HTTP/1.1 2000 OK",
                 b"HTTP/1.1 -200 OK", b"HTTP/1.1 +20 OK", b"HTTP/1.1 099 OK", b"HTTP/1.1 000 OK", b"HTTP/1.1 abc OK", b"HTTP/1.1 2x0 OK",
                 b"HTTP/1.1 200OK", b"HTTP/1.1  200 OK", b"HTTP/1.1\t200 OK", b"HTTP 200 OK", b"HTTP/1.1200 OK", b"HTTP/a.b 200 OK", b"http/1.1 200 OK",
                 b"Http/1.1 200 OK", b"HTTPS/1.1 200 OK", b"ICY 200 OK", b" HTTP/1.1 200 OK", b"\r\nHTTP/1.1 200 OK", b"\x00HTTP/1.1 200 OK", b"\xef\xbb\xbfHTTP/1.1 200 OK",
                 b"SSH-2.0-OpenSSH_9.2", b"hello", b"<html>hello</html>", b"{\"a\": 1}", b"\x16\x03\x01\x02\x00", b"", b"\x00", b"GET / HTTP/1.1",
                 b"HTTP/1.1 200 O\x00K"):
        case(f"begins with {line!r}", line + rest, codes=[PROTOCOL])
    case("no reason", b"HTTP/1.1 200" + rest, body="hello", stays=True)
    case("an empty reason", b"HTTP/1.1 200 " + rest, body="hello", stays=True)
    case("a reason of bytes", b"HTTP/1.1 200 \xff\xfe" + rest, body="hello", stays=True)
    case("a status that nobody knows", b"HTTP/1.1 299 X" + rest, status=299, body="hello", stays=True)
    case("lines that end in LF", b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", body="hello", stays=True)
    case("nothing at all", codes=[LOST])
    case("half a status line", b"HTTP/1.1 2", codes=[LOST, PROTOCOL])
    case("a head that ends in a name", b"HTTP/1.1 200 OK\r\nX", codes=[LOST, PROTOCOL])
    case("a head that ends in a value", b"HTTP/1.1 200 OK\r\nX: y", codes=[LOST])
    case("a head that ends after a length", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", codes=[LOST])
    case("a head that ends within a length", b"HTTP/1.1 200 OK\r\nContent-Length: 5", codes=[LOST])
    case("a head that ends after a coding", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", codes=[LOST])
    case("a head that ends in its last line", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r", codes=[LOST])


def fields():
    """RFC 9112 section 5."""
    for name, line in (("no colon", "no colon"), ("NUL in a value", "X: a\x00b"), ("NUL in a name", "X\x00: a"), ("a colon in no field", "Content-Length")):
        case(name, head(line, "Content-Length: 5") + b"hello", codes=[PROTOCOL])
    for name, line in (("CR in a value", "X: a\rb"), ("an empty name", ": a"), ("a blank in a name", "X Y: a"), ("bytes", "X: \xff\xfe"), ("an empty value", "X:"),
                       ("CR that looks like framing", "X: a\rTransfer-Encoding: chunked"), ("a name of 200 letters", "X" * 200 + ": a")):
        case(name, head(line, "Content-Length: 5") + b"hello", body="hello", codes=[PROTOCOL], stays=True)
    case("many fields", head(*[f"X-{n}: y" for n in range(2000)], "Content-Length: 5") + b"hello", body="hello", stays=True)
    case("fields without end", head().rstrip() + b"\r\n", flood=b"X-Field: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", codes=[LARGE])
    case("a field without end", head().rstrip() + b"\r\nX: ", flood=b"y" * 1000, codes=[LARGE])
    case("a name without end", head().rstrip() + b"\r\n", flood=b"y" * 1000, codes=[LARGE])
    case("a fold without end", head().rstrip() + b"\r\nX: y\r\n", flood=b" y\r\n" * 100, codes=[LARGE])
    case("a status line without end", b"HTTP/1.1 200 ", flood=b"y" * 1000, codes=[LARGE, PROTOCOL])


def floods():
    """Each flood is sent until the client has enough: more than 1 MiB is too large."""
    for name, flood in (("chunks of a byte", b"1\r\nx\r\n" * 1000), ("chunks of two bytes", b"2\r\nxy\r\n" * 1000), ("large chunks", b"10000\r\n" + b"x" * 65536 + b"\r\n"),
                        ("chunks with extensions", b"1;a=b\r\nx\r\n" * 1000)):
        case(f"flood: {name}", head(CHUNKED), flood=flood, codes=[BODY])
    case("flood: one chunk", head(CHUNKED) + b"7fffffffffffffff\r\n", flood=b"x" * 1000, codes=[BODY])
    case("flood: a length", head("Content-Length: 9223372036854775807"), flood=b"x" * 1000, codes=[BODY])
    case("flood: no length", head(), flood=b"x" * 1000, codes=[BODY])
    case("flood: after the last chunk", head(CHUNKED) + HELLO + POISON, flood=POISON * 10, body="hello", closes=True)
    case("flood: after a length", head("Content-Length: 5") + b"hello" + POISON, flood=POISON * 10, body="hello", closes=True)
    case("flood: after a 204", head(status="204 No Content") + POISON, flood=POISON * 10, status=204, body="", closes=True)
    case("flood: extensions", head(CHUNKED) + b"5;", flood=b"x" * 1000, codes=[FRAMING])
    case("flood: zeros of a size", head(CHUNKED), flood=b"0" * 1000, codes=[FRAMING])
    case("flood: trailers", head(CHUNKED) + b"0\r\n", flood=b"X: y\r\n" * 100, codes=[LARGE])
    case("flood: a trailer", head(CHUNKED) + b"0\r\nX: ", flood=b"y" * 1000, codes=[LARGE])


class Connection(threading.Thread):
    def __init__(self, connection):
        super().__init__(daemon=True)
        self.connection, self.number = connection, next(COUNTER)

    def run(self):
        try:
            while line := self.request():
                if not self.answer(*line):
                    break
        except OSError:
            pass
        finally:
            self.close()

    def close(self):
        """Closes without a reset if the client may still be reading: a reset would discard bytes that it hasn't read."""
        try:
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(5)
            while self.connection.recv(65536):
                pass
        except OSError:
            pass
        self.connection.close()

    def request(self):
        text = b""
        while not text.endswith(b"\r\n\r\n"):
            byte = self.connection.recv(1)
            if not byte:
                return None
            text += byte
        method, target, _ = text.split(b"\r\n")[0].decode().split(" ")
        return method, target

    def answer(self, method, target):
        path = target.split("?")[0].strip("/").split("/")
        if path == ["cases"]:
            table = [{key: value for key, value in each.items() if key not in ("parts", "flood")} for each in CASES]
            self.reply(json.dumps(table).encode(), "application/json")
            return True
        number = int(path[1])
        if path[0] == "own":
            self.reply(f"own {number} {LAST.get(number)}".encode(), "text/plain")
            return True
        LAST[number] = self.number
        return self.run_case(CASES[number])

    def reply(self, body, kind):
        fields = f"Content-Type: {kind}", f"Content-Length: {len(body)}", f"X-Connection: {self.number}"
        self.connection.sendall(head(*fields) + body)

    def run_case(self, each):
        for part in each["parts"]:
            if isinstance(part, float):
                time.sleep(part)
            else:
                self.connection.sendall(part)
        while each["flood"]:
            self.connection.sendall(each["flood"])
        return each["stays"]


def main():
    for fill in (folds, lengths, codings, chunks, surplus, interim, beginnings, fields, floods):
        fill()
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)

    def serve():
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Connection(connection).start()

    threading.Thread(target=serve, daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
