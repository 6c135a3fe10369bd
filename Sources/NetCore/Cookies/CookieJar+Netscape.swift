#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
    /// The cookies as `cookies.txt`, the form that curl, wget and browser extensions read. It holds the values: keep it safe.
    ///
    /// Cookies of the session get the time 0. A cookie without a name cannot be written there and is left out.
    public var netscapeText: String {
        var text = "# Netscape HTTP Cookie File\n"
        for cookie in cookies where !cookie.name.isEmpty && !cookie.hasTab {
            let fields = [
                (cookie.isHTTPOnly ? "#HttpOnly_" : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
                "\(Int64(clamping: cookie.expires?.timeIntervalSince1970 ?? 0))", cookie.name, cookie.value,
            ]
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }

    /// Takes the cookies of a `cookies.txt`; those that have ended are passed over.
    ///
    /// Throws `.decoding` and names the line that is none, without showing it; then no cookie was taken.
    public mutating func insert(netscapeText text: String, now: Date) throws(NetError) {
        var cookies: [Cookie] = []
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            var line = line
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let isHTTPOnly = line.starts(with: "#HttpOnly_".utf8)
            if isHTTPOnly { line = line.dropFirst(10) }
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let fields = line.split(separator: 9, omittingEmptySubsequences: false).map { String(Substring($0)) }
            guard let cookie = Cookie(netscape: fields, isHTTPOnly: isHTTPOnly, created: now), cookie.problem == nil
            else {
                throw NetError(
                    .decoding, phase: .preparing,
                    message: "line \(number + 1) of the cookies is none: seven fields belong there, with tabs between")
            }
            cookies.append(cookie)
        }
        insert(kept: cookies, now: now)
    }
}

extension Cookie {
    /// Domain, whether those below it get it, path, whether it is for https alone, seconds since 1970, name, value.
    fileprivate init?(netscape fields: [String], isHTTPOnly: Bool, created: Date) {
        let flags = ["TRUE": true, "FALSE": false]
        guard fields.count == 7, let isForAll = flags[fields[1]], let isSecure = flags[fields[3]],
            let seconds = Int64(fields[4])
        else { return nil }
        self.init(
            name: fields[5], value: fields[6], domain: fields[0], isHostOnly: !isForAll, path: fields[2],
            expires: seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds)), isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, created: created)
    }

    fileprivate var hasTab: Bool { (name + value + path).utf8.contains(9) }
}

extension Int64 {
    /// The nearest whole number.
    fileprivate init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, -9e18), 9e18))
    }
}
