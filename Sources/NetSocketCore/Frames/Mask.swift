/// Copies bytes and XORs them with the mask key (RFC 6455 section 5.3); `target` and `source` may be the same.
///
/// The first byte of the key on the wire is the lowest byte of `key`. `phase` is the number of payload bytes before
/// these, for a payload that arrives in pieces. Works on vectors of 32 bytes: about as fast as `memcpy` once the data
/// exceeds a cache.
package func mask(
    _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, count: Int, key: UInt32, phase: Int = 0
) {
    let shift = UInt32(truncatingIfNeeded: phase & 3) &* 8
    let turned = key &>> shift | (shift == 0 ? 0 : key &<< (32 &- shift))
    let word = UInt64(turned) | UInt64(turned) &<< 32
    let wide = SIMD4<UInt64>(repeating: word.littleEndian)
    var index = 0
    while index &+ 64 <= count {
        let first = source.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) ^ wide
        let second = source.loadUnaligned(fromByteOffset: index &+ 32, as: SIMD4<UInt64>.self) ^ wide
        target.storeBytes(of: first, toByteOffset: index, as: SIMD4<UInt64>.self)
        target.storeBytes(of: second, toByteOffset: index &+ 32, as: SIMD4<UInt64>.self)
        index &+= 64
    }
    while index &+ 8 <= count {
        let value = source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word.littleEndian
        target.storeBytes(of: value, toByteOffset: index, as: UInt64.self)
        index &+= 8
    }
    var rest = word
    while index < count {
        let value = source.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
        target.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
        rest &>>= 8
        index &+= 1
    }
}
