#if Tools
internal import NetCore
internal import NetHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads the cookies of a file: a `cookies.txt` of curl or a browser, or a file that `CookieStore.save(to:)` wrote.
enum CookieJarFile {
    static func read(_ path: String) async throws(Failure) -> CookieJar {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(code: .file, description: "the cookie jar \(Output.shellWord(path)) can't be read")
        }
        let store = CookieStore()
        do throws(NetError) {
            if data.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                try await store.load(from: path)
            } else {
                let text = String(decoding: data, as: UTF8.self)
                let now = NetClock.system.date()
                var jar = CookieJar()
                try jar.insert(netscapeText: text, now: now)
                return jar
            }
        } catch {
            throw Failure(
                code: .file, description: "the cookie jar \(Output.shellWord(path)) can't be read: \(error.message)")
        }
        return store.withJar { $0 }
    }
}
#endif
