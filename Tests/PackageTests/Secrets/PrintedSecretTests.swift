import Foundation
import Testing

/// No public type shows a secret, however a program prints it.
@Suite(.timeLimit(.minutes(2))) struct PrintedSecretTests {
    @Test func noValueIsPrintedWithItsSecrets() async throws {
        for value in try await PlantedValues.all() {
            let name = PublicTypes.name(of: value)
            for (way, text) in printed(value) {
                let found = text.ranges(of: PlantedValues.mark).first
                guard let found else { continue }
                let start = text.index(found.lowerBound, offsetBy: -80, limitedBy: text.startIndex) ?? text.startIndex
                Issue.record("\(name), \(way), shows a secret: …\(text[start..<found.upperBound])")
                break
            }
        }
    }

    #if Server
    /// A new public type must be planted in ``PlantedValues``, or listed with a reason in ``SecretlessTypes``.
    @Test func everyPublicTypeIsPlantedOrSaidToHoldNoSecret() async throws {
        let all = try PublicTypes.all()
        let planted = Set(try await PlantedValues.all().map(PublicTypes.name))
        let secretless = Set(SecretlessTypes.reasons.values.joined())
        #expect(all.count > 350)
        #expect(all.subtracting(planted).subtracting(secretless).sorted() == [], "plant these types or say why not")
        #expect(secretless.subtracting(all).sorted() == [], "these types are not public, or are gone")
        #expect(secretless.intersection(planted).sorted() == [], "these types are planted too")
    }
    #endif
}
