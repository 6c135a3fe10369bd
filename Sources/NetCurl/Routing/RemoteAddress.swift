#if os(Linux)
internal import Glibc

/// The text of the last remote address. It is created only if the address changes: most requests use the same address
/// as the previous request.
struct RemoteAddress {
    private var address: [CChar] = [0]
    private var port = 0
    private var text = ""

    mutating func text(_ address: UnsafePointer<CChar>, port: Int) -> String {
        if port != self.port || strcmp(address, self.address) != 0 {
            let plain = String(cString: address)
            self.address = Array(UnsafeBufferPointer(start: address, count: strlen(address) + 1))
            self.port = port
            text = plain.utf8.contains(UInt8(ascii: ":")) ? "[\(plain)]:\(port)" : "\(plain):\(port)"
        }
        return text
    }
}
#endif
