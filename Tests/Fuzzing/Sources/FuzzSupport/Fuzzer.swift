/// Lets libFuzzer call `test` with inputs of its choice until a test fails or its time is over.
///
/// libFuzzer's own `main` would be simpler, but the build renames the one of an executable, so this calls the driver.
public func runFuzzer(_ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt) -> CInt {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    return driver(&count, &arguments, test)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func driver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
