#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The JSON file that stores the list.
private struct HSTSFile: Codable {
    struct Entry: Codable {
        let host: String
        let includesSubdomains: Bool
        let expires: Double
    }

    static let format = "swift-net hsts"

    let format: String
    let version: Int
    let hosts: [Entry]
}

extension HSTSList {
    /// Returns the contents of a file with the list.
    package func file() throws(NetError) -> Bytes {
        let kept = entries.map { entry in
            HSTSFile.Entry(
                host: entry.host, includesSubdomains: entry.includesSubdomains,
                expires: entry.expires.timeIntervalSince1970)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return Bytes(try encoder.encode(HSTSFile(format: HSTSFile.format, version: 1, hosts: kept)))
        } catch {
            throw NetError(
                .encoding, phase: .preparing,
                message: "the hosts cannot be written as JSON: \(ErrorSummary.describe(error))")
        }
    }

    /// Returns the hosts of a file; throws `.decoding` if it has another format or version.
    package static func entries(fromFile bytes: Bytes) throws(NetError) -> [Entry] {
        let file = try? JSONCoding.standard.decode(HSTSFile.self, from: bytes)
        guard let file, file.format == HSTSFile.format, file.version == 1 else {
            throw NetError(
                .decoding, phase: .preparing,
                message: "this is no file of hosts that want https, of this form and version")
        }
        return file.hosts.map { entry in
            Entry(
                host: entry.host, includesSubdomains: entry.includesSubdomains,
                expires: Date(timeIntervalSince1970: entry.expires))
        }
    }
}
