import Testing

@testable import NetCore

struct SipHashTests {
    /// The test vectors of the paper's reference implementation: the bytes 0, 1, 2, … under the key of bytes 0 to 15.
    @Test(arguments: [
        (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
        (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5), (63, 0x958a_324c_eb06_4572),
    ])
    func theHashIsThatOfTheReference(_ count: Int, _ expected: UInt64) {
        let hash = SipHash.hash((0..<count).map(UInt8.init), 0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        #expect(hash == expected)
    }
}
