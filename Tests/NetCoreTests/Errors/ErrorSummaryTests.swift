import Foundation
import NetCore
import Testing

/// Descriptions of foreign errors that contain none of their values.
@Suite struct ErrorSummaryTests {
    private enum Case: Error, Equatable {
        case expired
        case refused(String)
    }

    private struct Nothing: Error {}
    private struct Quoting: Error, CustomStringConvertible, LocalizedError {
        let description: String
        var errorDescription: String? { description }
    }
    private struct Mirrored: Error, CustomReflectable, CustomStringConvertible {
        private let text = "SECRET"
        var description: String { text }
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    @Test(
        "An error is described by its kind, its case, or its domain and code",
        arguments: [
            (Case.expired, "expired"), (Case.refused("SECRET"), "Case.refused"), (Nothing(), "Nothing()"),
            (Quoting(description: "SECRET"), "Quoting"), (Mirrored(), "Mirrored"),
            (NSError(domain: "shop", code: 7, userInfo: [NSLocalizedDescriptionKey: "SECRET"]), "NSError (shop 7)"),
            (
                CocoaError(.fileReadNoSuchFile, userInfo: ["NSFilePath": "SECRET"]),
                "CocoaError (NSCocoaErrorDomain 260)"
            ),
            (CancellationError(), "it was cancelled"),
            (NetError(.connect, phase: .connecting, message: "refused"), "connect while connecting: refused"),
        ] as [(any Error, String)])
    func kind(error: any Error, words: String) {
        #expect(ErrorSummary.describe(error) == words)
    }

    @Test func aDecodingErrorIsItsPlaceAndType() throws {
        let key = [JSONKey("pin")]
        let quoting = "invalid String value SECRET"
        #expect(
            ErrorSummary.describe(DecodingError.dataCorrupted(.init(codingPath: key, debugDescription: quoting)))
                == "$.pin contains a value that its type doesn't accept")
        #expect(
            ErrorSummary.describe(
                DecodingError.typeMismatch(Int.self, .init(codingPath: key, debugDescription: quoting)))
                == "$.pin is not of type Int")
    }

    @Test func anEncodingErrorIsItsPlaceAndType() {
        let error = EncodingError.invalidValue(
            "SECRET", .init(codingPath: [JSONKey("user"), JSONKey("pin")], debugDescription: "SECRET is too long"))
        #expect(ErrorSummary.describe(error) == "the value cannot be encoded (String at user.pin)")
        let number = EncodingError.invalidValue(Double.nan, .init(codingPath: [], debugDescription: ""))
        #expect(ErrorSummary.describe(number) == "the number is not finite (Double at the top)")
    }

    @Test func theCauseOfAnErrorIsNeverPrinted() {
        let error = NetError(
            .middleware, phase: .middleware, message: "Sign failed", underlying: Quoting(description: "SECRET"))
        var dumped = ""
        dump(error, to: &dumped)
        dump(APIError<Never>.failed(error), to: &dumped)
        dump([error as any Error], to: &dumped)
        #expect(dumped.contains("Sign failed"))
        #expect(dumped.contains("Quoting"))
        for text in [dumped, "\(error)", String(reflecting: error), error.localizedDescription, error.debugSummary] {
            #expect(!text.contains("SECRET"))
        }
        #expect(error.underlying is Quoting)
    }
}
