#if Tools && Server
/// Rows in columns of fixed width.
struct Table {
    struct Column {
        let title: String
        let width: Int
        let isLeft: Bool

        static func left(_ title: String, _ width: Int) -> Column { Column(title: title, width: width, isLeft: true) }
        static func right(_ title: String, _ width: Int) -> Column { Column(title: title, width: width, isLeft: false) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    init(columns: [Column]) {
        self.columns = columns
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    func print() {
        for row in [columns.map(\.title)] + rows {
            let cells = zip(columns, row).map { column, text in
                let text = Text.cut(text, to: column.width)
                return column.isLeft ? Text.pad(text, to: column.width) : Text.padLeft(text, to: column.width)
            }
            Terminal.print("  " + cells.joined())
        }
    }
}
#endif
