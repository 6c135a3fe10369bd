internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The JSON file that stores the list.
struct AltSvcFile: StateFile {
    struct Service: Codable {
        let protocolName: String
        let host: String
        let port: Int
        let expires: Double
        let isPersistent: Bool
        let brokenUntil: Double?
        let failures: Int

        init(_ service: AlternativeService) {
            protocolName = service.protocolName
            host = service.host
            port = service.port
            expires = service.expires.timeIntervalSince1970
            isPersistent = service.isPersistent
            brokenUntil = service.brokenUntil?.timeIntervalSince1970
            failures = service.failures
        }

        var service: AlternativeService {
            var service = AlternativeService(
                protocolName: protocolName, host: host, port: port, expires: Date(timeIntervalSince1970: expires),
                isPersistent: isPersistent)
            service.brokenUntil = brokenUntil.map { Date(timeIntervalSince1970: $0) }
            service.failures = min(max(0, failures), 16)
            return service
        }
    }

    struct Entry: Codable {
        let origin: String
        let received: Double
        let services: [Service]
    }

    static let format = "swift-net alt-svc"
    static let contents = "alternative services"

    var format: String = AltSvcFile.format
    var version = 1
    let origins: [Entry]

    init(_ list: AltSvcList) {
        origins = list.entries.map { entry in
            Entry(
                origin: entry.origin, received: entry.received.timeIntervalSince1970,
                services: entry.services.map(Service.init))
        }
    }

    var entries: [AltSvcList.Entry] {
        origins.map { entry in
            AltSvcList.Entry(
                origin: entry.origin, services: entry.services.map(\.service),
                received: Date(timeIntervalSince1970: entry.received))
        }
    }
}
