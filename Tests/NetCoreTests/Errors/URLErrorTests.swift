import Foundation
import NetCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Errors of Apple's URL loading system that a program throws in a closure or a transport of its own.
struct URLErrorTests {
    @Test(arguments: [
        (URLError.Code.timedOut, NetError.Code.timeout), (.notConnectedToInternet, .connect),
        (.cannotConnectToHost, .connect), (.cannotFindHost, .dns), (.dnsLookupFailed, .dns),
        (.networkConnectionLost, .connectionLost), (.secureConnectionFailed, .tls),
        (.serverCertificateUntrusted, .tls), (.serverCertificateHasBadDate, .tls), (.clientCertificateRequired, .tls),
        (.cancelled, .cancelled), (.badURL, .invalidRequest), (.badServerResponse, .protocolViolation),
        (.unknown, .unknown),
    ]) func aURLErrorKeepsItsMeaning(_ code: URLError.Code, _ expected: NetError.Code) throws {
        let secret = try #require(URL(string: "https://h/?token=PLANTED"))
        for error in [
            URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: secret]) as any Error,
            NSError(domain: NSURLErrorDomain, code: code.rawValue, userInfo: [NSURLErrorFailingURLErrorKey: secret]),
        ] {
            let converted = try #require(NetError(error))
            #expect(converted.code == expected)
            #expect(converted.underlying != nil)
            #expect(!"\(converted)".contains("PLANTED"))
            #expect(converted.message.contains("\(code.rawValue)") || expected == .dns || expected == .cancelled)
        }
    }

    @Test func errorsOfOtherDomainsAreNone() {
        #expect(NetError(NSError(domain: "mine", code: -1001)) == nil)
        #expect(NetError(CocoaError(.fileNoSuchFile)) == nil)
    }
}
