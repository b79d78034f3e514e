import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct AddressBlockTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("192.168.7.20", "192.168.7.20/32"), ("0.0.0.0/0", "0.0.0.0/0"),
        ("255.255.255.255/32", "255.255.255.255/32"), ("128.0.0.0/1", "128.0.0.0/1"), ("::/0", "::/0"),
        ("::1", "::1/128"), ("2001:DB8::/32", "2001:db8::/32"), ("fe80::/10", "fe80::/10"),
        ("2001:db8:0:0:8000::/65", "2001:db8:0:0:8000::/65"), ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("::ffff:127.0.0.1", "127.0.0.1/32"), ("64:ff9b::/96", "64:ff9b::/96"), ("8000::/1", "8000::/1"),
        ("2001:db8:8000::/33", "2001:db8:8000::/33"), ("::ffff:0:0/96", "0.0.0.0/0"),
    ])
    func blocksAreParsed(_ row: (String, String)) throws {
        let block = try AddressBlock(row.0)
        #expect(block.description == row.1)
        #expect(try AddressBlock(block.description) == block)
    }

    @Test(arguments: [
        ("", AddressBlock.ParsingError.address), ("/8", .address), ("10/8", .address), ("10.0.0/24", .address),
        ("010.0.0.0/8", .address), ("10.0.0.00/8", .address), ("0x7f.0.0.1", .address), ("2130706433", .address),
        ("256.0.0.0/8", .address), ("10.0.0.0.0/8", .address), ("10.0.0.0 /8", .address), ("[::1]/128", .address),
        ("fe80::1%eth0/64", .address), (":::/0", .address), ("1:2:3:4:5:6:7:8:9", .address), ("::g", .address),
        ("localhost", .address), ("10.0.0.0\u{0}/8", .address), ("１0.0.0.0/8", .address),
        ("::ffff:010.0.0.1", .address), (String(repeating: "1", count: 100_000), .address),
        ("10.0.0.0/", .prefixLength), ("10.0.0.0/33", .prefixLength), ("10.0.0.0/-1", .prefixLength),
        ("10.0.0.0/+8", .prefixLength), ("10.0.0.0/08", .prefixLength), ("10.0.0.0/8 ", .prefixLength),
        ("10.0.0.0/8/8", .prefixLength), ("::/129", .prefixLength), ("::/1000", .prefixLength),
        ("10.0.0.0/255.0.0.0", .prefixLength), ("10.0.0.0/８", .prefixLength), ("10.0.0.1/8", .bitsAfterPrefix),
        ("0.0.0.1/0", .bitsAfterPrefix), ("::1/127", .bitsAfterPrefix), ("2001:db8::1/64", .bitsAfterPrefix),
        ("::ffff:10.0.0.1/104", .bitsAfterPrefix),
    ])
    func everythingElseIsRefused(_ row: (String, AddressBlock.ParsingError)) {
        #expect(throws: row.1) { try AddressBlock(row.0) }
        #expect("\(row.1)".count > 40 && row.1.localizedDescription == "\(row.1)")
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "9.255.255.255", false), ("172.16.0.0/12", "172.31.255.255", true),
        ("172.16.0.0/12", "172.32.0.0", false), ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "::1", false),
        ("::/0", "127.0.0.1", false), ("::/0", "ffff::", true), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("10.0.0.0/8", "::ffff:11.1.2.3", false), ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false),
        ("2001:db8:8000::/33", "2001:db8:ffff::", true), ("2001:db8:8000::/33", "2001:db8:7fff::", false),
        ("2001:db8:0:0:8000::/65", "2001:db8:0:0:ffff::1", true),
        ("2001:db8:0:0:8000::/65", "2001:db8:0:0:7fff::1", false), ("::1", "::1", true), ("::1", "::2", false),
        ("127.0.0.1", "0x7f.1", false), ("127.0.0.1", "127.0.0.1.", false), ("127.0.0.1", "", false),
    ])
    func aBlockContainsTheAddressesWithItsPrefix(_ row: (String, String, Bool)) throws {
        #expect(try AddressBlock(row.0).contains(row.1) == row.2)
    }

    @Test func everyPrefixOfAnAddressContainsIt() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let address = IPAddress(high: random.next(), low: random.next())
            let other = IPAddress(UInt32(truncatingIfNeeded: random.next()))
            for length in 0...128 {
                let block = AddressBlock(address, prefixLength: length)
                #expect(block.contains(address) && !block.contains(other))
                #expect(try AddressBlock("\(block)") == block)
            }
            for length in 0...32 {
                let block = AddressBlock(other, prefixLength: length)
                #expect(block.contains(other) && !block.contains(address))
                #expect(try AddressBlock("\(block)") == block)
            }
        }
    }
}
