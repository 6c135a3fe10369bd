#if os(Linux)
import Glibc

/// A name server that takes its time, without one: the program's `getaddrinfo` comes before libc's, for libcurl too.
/// Names that end in `.slow.invalid` are answered with "not found" after ``delay``; all others by libc.
enum SlowResolver {
    static let host = "name.slow.invalid"
    static let delay = Duration.seconds(2)

    private typealias Function =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
            UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
        ) -> Int32

    /// libc's own.
    private static let next: Function? = {
        // RTLD_NEXT, a cast that the importer leaves out.
        let address = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo")
        return address.map { unsafeBitCast($0, to: Function.self) }
    }()

    fileprivate static func resolve(
        _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?, _ hints: UnsafePointer<addrinfo>?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
    ) -> Int32 {
        if let name, String(cString: name).hasSuffix(".slow.invalid") {
            usleep(UInt32(delay.components.seconds) * 1_000_000)
            return EAI_NONAME
        }
        return next?(name, service, hints, result) ?? EAI_FAIL
    }
}

@_cdecl("getaddrinfo") func interposedGetaddrinfo(
    _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?, _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
    SlowResolver.resolve(name, service, hints, result)
}
#endif
