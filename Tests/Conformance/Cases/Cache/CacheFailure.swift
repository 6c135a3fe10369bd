/// The failure of a command, as the runner expects it.
struct CacheFailure: Error {
    let kind, message: String
}
