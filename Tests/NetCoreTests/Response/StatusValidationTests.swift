import NetCore
import Testing

@Suite struct StatusValidationTests {
    @Test(
        "Each preset accepts its codes and no other",
        arguments: [
            (StatusValidation.success, [200..<300]), (.successOrRedirect, [200..<400]),
            (.successOrNotModified, [200..<300, 304..<305]), (.noContent, [204..<206]), (.any, [0..<1000]),
            (.range(100..<102), [100..<102]), (.codes([7, 999]), [7..<8, 999..<1000]),
            (.custom { $0 == 500 }, [500..<501]),
        ] as [(StatusValidation, [Range<Int>])])
    func presets(validation: StatusValidation, ranges: [Range<Int>]) {
        for code in 0..<1000 {
            #expect(validation.isAcceptable(code) == ranges.contains { $0.contains(code) })
        }
    }
}
