#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file format of the list.
private struct AltSvcFile: Codable {
    struct Service: Codable {
        let protocolName: String
        let host: String
        let port: Int
        let expires: Double
        let isPersistent: Bool
        let brokenUntil: Double?
        let failures: Int
    }

    struct Entry: Codable {
        let origin: String
        let received: Double
        let services: [Service]
    }

    static let format = "swift-net alt-svc"

    let format: String
    let version: Int
    let origins: [Entry]
}

extension AltSvcList {
    /// Encodes the list as a file; throws `.encoding`.
    package func file() throws(NetError) -> Bytes {
        let kept = entries.map { entry in
            AltSvcFile.Entry(
                origin: entry.origin, received: entry.received.timeIntervalSince1970,
                services: entry.services.map(Self.kept))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return Bytes(try encoder.encode(AltSvcFile(format: AltSvcFile.format, version: 1, origins: kept)))
        } catch {
            throw NetError(
                .encoding, phase: .preparing,
                message: "the alternative services cannot be written as JSON: \(ErrorSummary.describe(error))")
        }
    }

    /// Returns the origins in a file; throws `.decoding` if it has another format or version.
    package static func entries(fromFile bytes: Bytes) throws(NetError) -> [Entry] {
        let file = try? JSONCoding.standard.decode(AltSvcFile.self, from: bytes)
        guard let file, file.format == AltSvcFile.format, file.version == 1 else {
            throw NetError(
                .decoding, phase: .preparing,
                message: "this is no file of alternative services, of this form and version")
        }
        return file.origins.map { entry in
            Entry(
                origin: entry.origin, services: entry.services.map(service),
                received: Date(timeIntervalSince1970: entry.received))
        }
    }

    private static func kept(_ service: AlternativeService) -> AltSvcFile.Service {
        AltSvcFile.Service(
            protocolName: service.protocolName, host: service.host, port: service.port,
            expires: service.expires.timeIntervalSince1970, isPersistent: service.isPersistent,
            brokenUntil: service.brokenUntil?.timeIntervalSince1970, failures: service.failures)
    }

    private static func service(_ kept: AltSvcFile.Service) -> AlternativeService {
        var service = AlternativeService(
            protocolName: kept.protocolName, host: kept.host, port: kept.port,
            expires: Date(timeIntervalSince1970: kept.expires), isPersistent: kept.isPersistent)
        service.brokenUntil = kept.brokenUntil.map { Date(timeIntervalSince1970: $0) }
        service.failures = min(max(0, kept.failures), 16)
        return service
    }
}
