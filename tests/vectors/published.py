"""Known answers that standards print, each with its place there."""

FIPS_180_4 = (
    "FIPS 180-4, Secure Hash Standard: SHA-512 examples published by NIST with the standard "
    "(one block, two blocks) and the empty message."
)
SHA512 = {
    "": "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    "abc": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    "".join("abcdefghijklmnopqrstu"[i : i + 8] for i in range(14)): (
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
}

RFC_9380_K3 = "RFC 9380, appendix K.3: expand_message_xmd with SHA-512, DST QUUX-V01-CS02-with-expander-SHA512-256."
K3_DOMAIN = "QUUX-V01-CS02-with-expander-SHA512-256"
K3 = [
    ("", "6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba"),
    ("abc", "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc"),
    ("abcdef0123456789", "087e45a86e2939ee8b91100af1583c4938e0f5fc6c9db4b107b83346bc967f58"),
    ("q128_" + 128 * "q", "7336234ee9983902440f6bc35b348352013becd88938d2afec44311caf8356b3"),
    ("a512_" + 512 * "a", "57b5f7e766d5be68a6bfe1768e3c2b7f1228b3e4b3134956dd73a59b954c66f4"),
    (
        "",
        (
            "41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921"
            "b052b62eaed99b46f72f2ef4cc96bfaf254ebbbec091e1a3b9e4fb5e5b619d2e"
            "0c5414800a1d882b62bb5cd1778f098b8eb6cb399d5d9d18f5d5842cf5d13d7e"
            "b00a7cff859b605da678b318bd0e65ebff70bec88c753b159a805d2c89c55961"
        ),
    ),
    (
        "abc",
        (
            "7f1dddd13c08b543f2e2037b14cefb255b44c83cc397c1786d975653e36a6b11"
            "bdd7732d8b38adb4a0edc26a0cef4bb45217135456e58fbca1703cd6032cb134"
            "7ee720b87972d63fbf232587043ed2901bce7f22610c0419751c065922b48843"
            "1851041310ad659e4b23520e1772ab29dcdeb2002222a363f0c2b1c972b3efe1"
        ),
    ),
    (
        "abcdef0123456789",
        (
            "3f721f208e6199fe903545abc26c837ce59ac6fa45733f1baaf0222f8b7acb04"
            "24814fcb5eecf6c1d38f06e9d0a6ccfbf85ae612ab8735dfdf9ce84c372a77c8"
            "f9e1c1e952c3a61b7567dd0693016af51d2745822663d0c2367e3f4f0bed827f"
            "eecc2aaf98c949b5ed0d35c3f1023d64ad1407924288d366ea159f46287e61ac"
        ),
    ),
    (
        "q128_" + 128 * "q",
        (
            "b799b045a58c8d2b4334cf54b78260b45eec544f9f2fb5bd12fb603eaee70db7"
            "317bf807c406e26373922b7b8920fa29142703dd52bdf280084fb7ef69da78af"
            "df80b3586395b433dc66cde048a258e476a561e9deba7060af40adf30c64249c"
            "a7ddea79806ee5beb9a1422949471d267b21bc88e688e4014087a0b592b695ed"
        ),
    ),
    (
        "a512_" + 512 * "a",
        (
            "05b0bfef265dcee87654372777b7c44177e2ae4c13a27f103340d9cd11c86cb2"
            "426ffcad5bd964080c2aee97f03be1ca18e30a1f14e27bc11ebbd650f305269c"
            "c9fb1db08bf90bfc79b42a952b46daf810359e7bc36452684784a64952c343c5"
            "2e5124cd1f71d474d5197fefc571a92929c9084ffe1112cf5eea5192ebff330b"
        ),
    ),
]

RFC_9380_J51 = (
    "RFC 9380, appendix J.5.1: suite edwards25519_XMD:SHA-512_ELL2_RO_, "
    "DST QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_."
)
J51_DOMAIN = "QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_"
# Message; then in big-endian hex, as printed there, P.x, P.y, u[0], u[1], Q0.x, Q0.y, Q1.x, Q1.y.
J51 = [
    (
        "",
        "3c3da6925a3c3c268448dcabb47ccde5439559d9599646a8260e47b1e4822fc6",
        "09a6c8561a0b22bef63124c588ce4c62ea83a3c899763af26d795302e115dc21",
        "03fef4813c8cb5f98c6eef88fae174e6e7d5380de2b007799ac7ee712d203f3a",
        "780bdddd137290c8f589dc687795aafae35f6b674668d92bf92ae793e6a60c75",
        "6549118f65bb617b9e8b438decedc73c496eaed496806d3b2eb9ee60b88e09a7",
        "7315bcc8cf47ed68048d22bad602c6680b3382a08c7c5d3f439a973fb4cf9feb",
        "31dcfc5c58aa1bee6e760bf78cbe71c2bead8cebb2e397ece0f37a3da19c9ed2",
        "7876d81474828d8a5928b50c82420b2bd0898d819e9550c5c82c39fc9bafa196",
    ),
    (
        "abc",
        "608040b42285cc0d72cbb3985c6b04c935370c7361f4b7fbdb1ae7f8c1a8ecad",
        "1a8395b88338f22e435bbd301183e7f20a5f9de643f11882fb237f88268a5531",
        "5081955c4141e4e7d02ec0e36becffaa1934df4d7a270f70679c78f9bd57c227",
        "005bdc17a9b378b6272573a31b04361f21c371b256252ae5463119aa0b925b76",
        "5c1525bd5d4b4e034512949d187c39d48e8cd84242aa4758956e4adc7d445573",
        "2bf426cf7122d1a90abc7f2d108befc2ef415ce8c2d09695a7407240faa01f29",
        "37b03bba828860c6b459ddad476c83e0f9285787a269df2156219b7e5c86210c",
        "285ebf5412f84d0ad7bb4e136729a9ffd2195d5b8e73c0dc85110ce06958f432",
    ),
    (
        "abcdef0123456789",
        "6d7fabf47a2dc03fe7d47f7dddd21082c5fb8f86743cd020f3fb147d57161472",
        "53060a3d140e7fbcda641ed3cf42c88a75411e648a1add71217f70ea8ec561a6",
        "285ebaa3be701b79871bcb6e225ecc9b0b32dff2d60424b4c50642636a78d5b3",
        "2e253e6a0ef658fedb8e4bd6a62d1544fd6547922acb3598ec6b369760b81b31",
        "3ac463dd7fddb773b069c5b2b01c0f6b340638f54ee3bd92d452fcec3015b52d",
        "7b03ba1e8db9ec0b390d5c90168a6a0b7107156c994c674b61fe696cbeb46baf",
        "0757e7e904f5e86d2d2f4acf7e01c63827fde2d363985aa7432106f1b3a444ec",
        "50026c96930a24961e9d86aa91ea1465398ff8e42015e2ec1fa397d416f6a1c0",
    ),
    (
        "q128_" + 128 * "q",
        "5fb0b92acedd16f3bcb0ef83f5c7b7a9466b5f1e0d8d217421878ea3686f8524",
        "2eca15e355fcfa39d2982f67ddb0eea138e2994f5956ed37b7f72eea5e89d2f7",
        "4fedd25431c41f2a606952e2945ef5e3ac905a42cf64b8b4d4a83c533bf321af",
        "02f20716a5801b843987097a8276b6d869295b2e11253751ca72c109d37485a9",
        "703e69787ea7524541933edf41f94010a201cc841c1cce60205ec38513458872",
        "32bb192c4f89106466f0874f5fd56a0d6b6f101cb714777983336c159a9bec75",
        "0c9077c5c31720ed9413abe59bf49ce768506128d810cb882435aa90f713ef6b",
        "7d5aec5210db638c53f050597964b74d6dda4be5b54fa73041bf909ccb3826cb",
    ),
    (
        "a512_" + 512 * "a",
        "0efcfde5898a839b00997fbe40d2ebe950bc81181afbd5cd6b9618aa336c1e8c",
        "6dc2fc04f266c5c27f236a80b14f92ccd051ef1ff027f26a07f8c0f327d8f995",
        "6e34e04a5106e9bd59f64aba49601bf09d23b27f7b594e56d5de06df4a4ea33b",
        "1c1c2cb59fc053f44b86c5d5eb8c1954b64976d0302d3729ff66e84068f5fd96",
        "21091b2e3f9258c7dfa075e7ae513325a94a3d8a28e1b1cb3b5b6f5d65675592",
        "41a33d324c89f570e0682cdf7bdb78852295daf8084c669f2cc9692896ab5026",
        "4c07ec48c373e39a23bd7954f9e9b66eeab9e5ee1279b867b3d5315aa815454f",
        "67ccac7c3cb8d1381242d8d6585c57eabaddbb5dca5243a68a8aeb5477d94b3a",
    ),
]

RFC_8032 = "RFC 8032, section 7.1: Ed25519, tests 1, 2, 3 and SHA(abc)."
# Secret key, public key, message, signature.
ED25519 = {
    "test 1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    "test 2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    "test 3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    "test SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
            "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ),
}
