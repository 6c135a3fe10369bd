#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
    /// The cookies as `cookies.txt`, the format that curl, wget and browser extensions read. It contains the values, so
    /// keep it safe.
    ///
    /// Session cookies get the time 0. A cookie without a name, or with a tab in one of its parts, can't be written and
    /// is omitted.
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

    /// Inserts the cookies of a `cookies.txt`. Skips expired cookies, and lines that aren't cookies, as curl does.
    ///
    /// Throws `.decoding` if the text has lines but none of them is a cookie: it is then another kind of file, and the
    /// error doesn't show its contents.
    ///
    /// - Returns: The numbers of the lines that were skipped because they aren't cookies, counted from 1.
    @discardableResult
    public mutating func insert(netscapeText text: String, now: Date) throws(NetError) -> [Int] {
        var cookies: [Cookie] = []
        var skipped: [Int] = []
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
                skipped.append(number + 1)
                continue
            }
            cookies.append(cookie)
        }
        if cookies.isEmpty, let first = skipped.first {
            throw NetError(
                .decoding, phase: .preparing,
                message:
                    "no line is a cookie, starting with line \(first): a cookie has seven fields, separated by "
                    + "tabs")
        }
        insert(kept: cookies, now: now)
        return skipped
    }
}

extension Cookie {
    /// Creates a cookie from the columns of a line: domain, flag for subdomains, path, flag for https only, seconds
    /// since 1970, name, value. Nil if they are malformed.
    fileprivate init?(netscape fields: [String], isHTTPOnly: Bool, created: Date) {
        let flags = ["TRUE": true, "FALSE": false]
        // Some programs remove the tab before an empty value.
        guard fields.count == 7 || fields.count == 6, let isForAll = flags[fields[1].uppercased()],
            let isSecure = flags[fields[3].uppercased()], let seconds = Int64(fields[4])
        else { return nil }
        self.init(
            name: fields[5], value: fields.count == 7 ? fields[6] : "", domain: fields[0], isHostOnly: !isForAll,
            path: fields[2],
            expires: seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds)), isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, created: created)
    }

    fileprivate var hasTab: Bool { (name + value + path).utf8.contains(9) }
}

extension Int64 {
    /// Converts a number, clamped to the representable range; NaN becomes 0.
    fileprivate init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, -9e18), 9e18))
    }
}
