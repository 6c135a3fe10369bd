import Foundation
import FuzzSupport

@testable import NetClient
@testable import NetCore
@testable import NetHTTP

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

private let now = Date(timeIntervalSince1970: 1_800_000_000)
private let urls = [
    "http://example.com/", "https://shop.example.com/a/b", "https://127.0.0.1:8443/a", "http://localhost/x?y",
    "https://[::1]/", "http://com/",
]

/// The first byte chooses the origin of the cookies, each line after it is a `Set-Cookie`. Cookies in the jar must be
/// valid to send, must be restored from its file, and must not be sent outside their domain. The same lines are then a
/// `cookies.txt`, a `Strict-Transport-Security`, an `Alt-Svc` and a `Location`, which must not break their parsers
/// either.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let text = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var jar = CookieJar(publicSuffixes: PublicSuffixes { ["com", "localhost"].contains($0) })
    jar.maximumCookiesPerDomain = 8
    let url = urls[Int(start[0]) % urls.count]
    for line in lines { jar.store(line, from: url, now: now) }
    // The contents of an imported list are trusted, those of a server aren't.
    if jar.cookies.contains(where: { $0.domain == "com" && !$0.isHostOnly }) { fatalError("\(jar.cookies)") }
    check(jar)
    var other = jar
    try? other.insert(netscapeText: text, now: now)
    check(other)
    check(lines, from: url)
    var hosts = HSTSList()
    for line in lines {
        hosts.receive(line, from: url, now: now)
        follow(line, from: url)
    }
    if hosts.entries.contains(where: { $0.expires <= now || $0.host.contains("127") }) { fatalError("\(hosts)") }
    return 0
}

/// Checks that every alternative is an endpoint that can be connected to, and is restored from the file.
private func check(_ lines: [String], from url: String) {
    var list = AltSvcList()
    for line in lines { list.receive(line, from: url, now: now) }
    let services = list.services(for: url, now: now)
    if services.contains(where: { HostAndPort($0.authority) == nil || $0.expires <= now || $0.protocolName.isEmpty }) {
        fatalError("\(services)")
    }
    if (try? AltSvcFile.decode(AltSvcFile(list).encoded()).entries) != list.entries { fatalError("\(list)") }
}

private func check(_ jar: CookieJar) {
    var jar = jar
    if jar.count != jar.cookies.count { fatalError("it counts \(jar.count) of \(jar.cookies.count)") }
    for target in urls {
        let field = jar.field(for: target, now: now) ?? ""
        if field.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) {
            fatalError("a control character goes out")
        }
    }
    do {
        if try CookieFile.decode(CookieFile(jar, includingSession: true).encoded()).usable != jar.cookies {
            fatalError("\(jar.cookies)")
        }
    } catch {
        fatalError("\(error)")
    }
}

/// Checks that every followed redirect can be sent.
private func follow(_ location: String, from url: String) {
    guard let base = try? BaseURL(url) else { return }
    let request = PreparedRequest(
        head: HTTPRequest(method: .get, scheme: base.scheme, authority: base.authority, path: "/a"))
    var head = ResponseHead(status: .found)
    head.headers[.location] = location
    let decision = RedirectDecision.decide(
        on: head, to: request, history: [], policy: .follow(), redaction: .safeDefault)
    guard case .follow(let next, _) = decision else { return }
    if (try? BaseURL(next.url)) == nil || next.head.path?.first != "/" { fatalError(next.url) }
}
