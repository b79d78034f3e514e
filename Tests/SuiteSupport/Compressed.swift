import PiuPiuAsync

/// A text and what it is when it is compressed.
package enum Compressed: String, CaseIterable, Sendable {
    case gzip, deflate, br, zstd

    /// The text.
    package static let text = (0..<400).map { "\($0 * $0 * 7919 % 99991)," }.joined()

    /// The text, compressed by gzip, zlib, brotli or zstd.
    package var data: Data {
        switch self {
        case .gzip: Self.decode(Self.gzipText)
        case .deflate: Self.decode(Self.deflateText)
        case .br: Self.decode(Self.brotliText)
        case .zstd: Self.decode(Self.zstdText)
        }
    }

    private static func decode(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

    private static let gzipText = """
        H4sIAAAAAAACAyWW2XHDMAxEG+IHAeLsvzG/lSeTRJYoEtgLvqfX9jyrrtPmbcer7Z3tnTiTdv3M3JxTU3bCYnloW+/k+NwTN16eN+Fz0j33jC\
        3X3hFsMD17Knfs5F6zUz29Zz2Ht569ObPp95R17AkW1snXbqdfVJy9Gadu9GPLfnvsTqg+3vfIypNp845VUOPb8BN+ufHqFtep49ryxbF3H13y\
        pw9FBwV40tTrMLYZu3026vG0r7Gefih1nbN3OeDQPXhQVnH/TcdJQCvOcsp+ZrQctkY7QMf6uxRYS6GcSFe0zL/z1oI1t4Flx+uetJw6fju57n\
        Rh5sefN5+zeSbo2fYFLMwT8uHZPFy2nZcOHpyUB54EmfnjVVdJObMFL8E2Rj/v0DG8RDza4TeBy6+g26K1gZfgTkQBNAge0O48nXFNcqApq0Qy\
        dcHluNkVJYaUOGr8sA0U+PUn3usO0M2jTkphHxd7nUklG3f3+IA1pzSQRozILvgQw9IJkoLcLhAw36CeuALfLqTHGwHofDpdy0prUJZ+FiozOZ\
        3PYPX6Co1K0WdLPfGMru3aXgi9CGMNRyAktINOStDeC9jsAsBcsz33KZk1SN4wh16FkLw0zBrjLaCgKEACeI6FRWoCGM+EwIUuVNkPTTWCbBmC\
        VvztlQ8vJoNob7W7WnnpfMQ3nCD/wY26RoTcHxCZXOmT6s/Loo72waQYEk8vuh2sjj7OXHqGIEHt3MZouI3NzOnTMbxRd9GPj7UElgahnIhHKO\
        TvmidtYnYnKJ5khiSWRtA5qqJ//vT5IEACwBuiyJESlgffejdkM/ENjg4rRmpMUIbUoB4nURXdmiywiZFeKC+qdTD+oOuLtyChoYIMSuXRyjKQ\
        Ox/M2j/FK7KCXGymUMLvbl/wsQTVBEp8LW+ZNqA+RGA0zu3lB+wS6Ss04MfR4aJSmffRGMdzO4lDhYlW3wLjpAZXcYN4y55sIew5jPYCqJWVIj\
        xhkt6RGlpU2KZRKd3JUPeLg32830/5gGV46V1kcgbbmmKTCH1si8h9YDnGZLF9smfhGWIWmWOiFpDuMhF6AhhiDNZuQxYsQ0sTe6xBb8RIE2cg\
        9tAxEgXDxscr6mQopP5FB1QEOaZqcR0EOuGwflUzCmA3qC69y+koXRkWCmMXoTa8yaVqGqRBV/Q33GePL9clNs4cwA45VwJiPu0Gs4qTCTPSXS\
        EERUTd7lMskSOkG0ODvANyHAgQMKcRJvCR68NlNIXqpamrEZBF4wA60iOO5D5bvIJJxKdoSVK0hDdSwfqcFSSjIue64md4iYjT0EvJLJhtGlSy\
        cW+XHFHg3UmXzBONU5GnrCiwRLDwppEjnWBqvKVRZMBOc0Qy8OzXECzgawwBEsomxh3h7JiZ/p1Oo1yTvKVl7KMg+Xrg1FRa4wS2ktH+z1IxHQ\
        xZOBNSVe0fVt++TS0kDXZzv1XKPABthdHQisAATRQngfo3XBkl+03e/TSJnoRLScNYmdWt0GJoKTBMXz6aZKRljY1sdQUXqXGPQnEglcnXwK9J\
        VgaQSIdkB7D6NKHUYgXfQXjGYg3/0RYImQAjdxWQ8Z3Cid+ceYroLz7phjLnCo5QsfSBCX79iFnoLAkAAA==
        """

    private static let deflateText = """
        eJwlltlxwzAMRBviBwHi7L8xv5Unk0SWKBLYC76n1/Y8q67T5m3Hq+2d7Z04k3b9zNycU1N2wmJ5aFvv5PjcEzdenjfhc9I994wt194RbDA9ey\
        p37ORes1M9vWc9h7eevTmz6feUdewJFtbJ126nX1ScvRmnbvRjy3577E6oPt73yMqTafOOVVDj2/ATfrnx6hbXqePa8sWxdx9d8qcPRQcFeNLU\
        6zC2Gbt9NurxtK+xnn4odZ2zdzng0D14UFZx/03HSUArznLKfma0HLZGO0DH+rsUWEuhnEhXtMy/89aCNbeBZcfrnrScOn47ue50YebHnzefs3\
        km6Nn2BSzME/Lh2Txctp2XDh6clAeeBJn541VXSTmzBS/BNkY/79AxvEQ82uE3gcuvoNuitYGX4E5EATQIHtDuPJ1xTXKgKatEMnXB5bjZFSWG\
        lDhq/LANFPj1J97rDtDNo05KYR8Xe51JJRt39/iANac0kEaMyC74EMPSCZKC3C4QMN+gnrgC3y6kxxsB6Hw6XctKa1CWfhYqMzmdz2D1+gqNSt\
        FnSz3xjK7t2l4IvQhjDUcgJLSDTkrQ3gvY7ALAXLM99ymZNUjeMIdehZC8NMwa4y2goChAAniOhUVqAhjPhMCFLlTZD001gmwZglb87ZUPLyaD\
        aG+1u1p56XzEN5wg/8GNukaE3B8QmVzpk+rPy6KO9sGkGBJPL7odrI4+zlx6hiBB7dzGaLiNzczp0zG8UXfRj4+1BJYGoZyIRyjk75onbWJ2Jy\
        ieZIYklkbQOaqif/70+SBAAsAbosiREpYH33o3ZDPxDY4OK0ZqTFCG1KAeJ1EV3ZossImRXigvqnUw/qDri7cgoaGCDErl0coykDsfzNo/xSuy\
        glxsplDC725f8LEE1QRKfC1vmTagPkRgNM7t5QfsEukrNODH0eGiUpn30RjHczuJQ4WJVt8C46QGV3GDeMuebCHsOYz2AqiVlSI8YZLekRpaVN\
        imUSndyVD3i4N9vN9P+YBleOldZHIG25pikwh9bIvIfWA5xmSxfbJn4RliFpljohaQ7jIRegIYYgzWbkMWLENLE3usQW/ESBNnIPbQMRIFw8bH\
        K+pkKKT+RQdUBDmmanEdBDrhsH5VMwpgN6guvcvpKF0ZFgpjF6E2vMmlahqkQVf0N9xnjy/XJTbOHMAOOVcCYj7tBrOKkwkz0l0hBEVE3e5TLJ\
        EjpBtDg7wDchwIEDCnESbwkevDZTSF6qWpqxGQReMAOtIjjuQ+W7yCScSnaElStIQ3UsH6nBUkoyLnuuJneImI09BLySyYbRpUsnFvlxxR4N1J\
        l8wTjVORp6wosESw8KaRI51garylUWTATnNEMvDs1xAs4GsMARLKJsYd4eyYmf6dTqNck7ylZeyjIPl64NRUWuMEtpLR/s9SMR0MWTgTUlXtH1\
        bfvk0tJA12c79VyjwAbYXR0IrAAE0UJ4H6N1wZJftN3v00iZ6ES0nDWJnVrdBiaCkwTF8+mmSkZY2NbHUFF6lxj0JxIJXJ18CvSVYGkEiHZAew\
        +jSh1GIF30F4xmIN/9EWCJkAI3cVkPGdwonfnHmK6C8+6YYy5wqOULH0gQl+J+bVDQ==
        """

    private static let brotliText = """
        HysJAMQdbJ6GFGLhytnDVaYu8uRJvLwu//IP//Ln+N5FdfEmjQpRgGpxICQuTVbUxZ8Pjbq2HHCLFu75EPcWDfYR/XMKfx8jw2okNcFmCdMvvD\
        8nwqRTcFkDxR1M9zzCP+o+29lcHjsfYr7I8S8u9/ieDCQqyE8XlueHP1yMromT1/gaY8sn9J0erHiNv5JBe3YwwwhcB6t3w10RtLXgmTJ2HBlU\
        afG50h6s8UA9S+jMcTNhHb7m1cFXNDjdj/++Y6LnGvRXw+t9vHLGHHtf32kuRNown4XNnKVRv4MdoLZ0PY6kg54ubF2IT29hOEGi66YwN81bpN\
        HqK8yM5aU/gY1MOHpk3HOY+WtEg3304m6QJW2arcL0smKT/CJ0dkT+WzgzP/pW+eoRuujL/e4jogy1jaG/yeHyVLhxURIvd8CdQ2LruWiyyjKa\
        fCSfxu8eoatV+xdbAY3bRiaQ63u3OGgI7/pSZ7pxuTPsFDxsWFUmrbjwS3vrB/t9OFcBDMuBFRKLPSzc/gc8SRoyf/BMhfqpwRUj2CnhWHw1LL\
        rB4hdetYfnPYfRNrS39OqqgqdEB9V2cnv76NUGw9RIvCqFqa66bXBxR/4WUdWf6eqQPSmNnjHxmh71ndbhSmeKAULry4u2XpDZt2X+X9/Vg6l5\
        ba8lm/087RUwsWReo3/Ie2i2GtdZoeePeH8F9/uNlGj80h3rrxB3zcNH7Co0qwnu5i7hiaw39J/NxdyVc1j6NPPov5fUMjv40g1sq8e91QcatA\
        h+uUyFzoEKsauy1ajmRW0as+wgNlsRtE+bKWEt2kD/DFbODOxNbuf7kPrWQu/WKx5xvW26V4dqmoOnttYOnpwEEzjCpfBzmtbrFnT+Yp7EYvcJ\
        Dr9KvV64nyKCI7G49uMdcociF3h7k+n8jDixV0tj1JtzvPhdaulfLwy3jE33Yyss+tnYjzNHBa7ANUNykDLVckWCfqlxyogR76qFinVHVyi4T4\
        vkfNnvPMShzfCyqN1+I8+KYD4y0W0k03OHzyXUZh3qz5bPun9gmTb2+Lbf1IOHx7uL+stHpgKXJdPVB6fjQ0q29GYf0LXufa4ge9Vl9qOBjJNj\
        7EDmLqpjVq61LpVdIbn6NmHwne0kuBbq4oLdSyKqcvdvavYqQlUQ7WuMkH9FE04JB33mGQtS3tWjNkYFSN9A7Auumrpq0aL/sz5d8bE+3aOHdn\
        jIxosM39szIZNQRQu7GDuojiCXL2QaH4/Ugs/frMjK5/e3t8jvFm6UgLelUgEpLxLbh9njou2QVpR5+GpHZ/QVKJY7KL8pzHlbzcNUPtncD9hs\
        P+uO4O1uzqdnsRImM/sI3p/EVoPOy2yz3/NEtbhSf2Kr271+zpy7dDzMe4Pu2s29gPcF0mESQu6C6y3iVnWDhZyRnRavS+GTG14dI8s/X3DJck\
        KDeQEidxeL1DowtzPfldHtwo8bHHkbknNTt9yCfDZpy6sLSi60r0Ow9Qe6AOCc5l2iGpxCctkzbfN6DSumZyLU3N6AKUrYC1a9fAI=
        """

    private static let zstdText = """
        KLUv/QRojSAAypIwEAmweYlZYvgkuQoAAQAB/gCECBlFAY08FBuCfwEdbzz3/HGNWuHK4FdE1UlBOI4AJ8B29ahHqYrRGx/VP2tDZkAJWifoGy\
        mSjQw/cc3MI+3gfBfladXo6J4ZWCiTGpqMZzAGGX1iBiSvxQ00aBRnkpyY7KZStKGCWGNOg6jo2giOQogjCc/qs1ZU6gSqsVJUjZaqlcjEGuDO\
        pNYM8dlEzQWNcNNhZyJ4RGCsnPDKn04IiONBOmmR9lKMj5kNTWVz19hDrGjL6AKtA7VS6YWYM4pXV3XQQKa+M8jNR2rlmxYBNYvX0Or+19ayS8\
        VXIzK79Nyw0MHlM1JFjdXogk77wD+BmK8v1xgmWVjCI1NwFeVBk2i/S9BMTuxqcFcg0eKM+SIzKFQsSDGgWdiYsO3GhNpQyIzlktUIZaQRbsCe\
        zek1iZmZHZfBiWIhEDIAic4h9uJQstpUaxA+KSrvUK2Fa2SkiydAw5WjsdZ87h87q53p9LHUziOPFdirKolZohwLwiMoyt6Rmgn2SrRXMqxFZ2\
        Ry0gODOaqhGFBFTCgoExCYwYG1gcfsRJIVmWIHoGwO0wEAPyETJ0RalKNmAtagAmLSYCesqBUNzVow5yG5w0znKj2Sjr2KPIiRGdDZvRCzGuq5\
        JbEqmfaKc/OpDOIko9+u9j2RuawKWqPMeHOLN/98wjd2oJoFBWQ8UU1e/yrCtXTIiFUfdVgjAGN1ecdo1XoSjRXVQe9uhEJ7SWqPnyP5SHTPpX\
        hFj+8Uj9h38c5meI8Mpg0pPCFIjSyXVQlfkbyzgHAUCs4D7kp47+3IqPgvKkyrPGhTIl6BXgMydFO/Zo94rghtxqYFRH0tIRkFy5vHO6kLZ5Yc\
        yKuLgnwFARwBtAZjekIWTcbwVcA3ETH7AMSA71fteAQVH4R0LKVrkGrCINrvmMmFswaBxzIXcJnRkGNQvhZ+a1XxaDpcwJTHYnGUmFgU0VzQWJ\
        TmKCVPhsFVhGzC/z4Rtbc107CrDGsX1gxc0MH03MkxqxR8lhpZjek7S9pMzQyCpRHmHzuXiwqSxaOxAnhsTObKQQ84lUE4aqbrCRC9Af6b+WOl\
        DA2ollVm5mjViKLWuhxQkEcpucrQOp0aVDZzkB3o2YFqpu0xHDTLBK0c9m76CIBm8ajYPF4jAmuluSABjoTEOw/c/87k1gRmRCCyU2vmsMSmHB\
        +IicbXtB76CYdiBS+NrMum/k1RR5JiBWdHCX+9UMdLyEBCYlN+7MDoaqg8z8mxzn1cH7hRK4Gao9KxFDUK08xC5sgsRyrqfo4HRBULcnkFntlU\
        3VXEzOJzD+qOXYAeA9oRD5yr5KgqZiTpcwxxxZFBsd8P8lVoagYYWYWAd0tw4/gganxrrZNjo15RgAsAgkq1SA==
        """
}
