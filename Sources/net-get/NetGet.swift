@main
struct NetGet {
    static func main() {}
}
