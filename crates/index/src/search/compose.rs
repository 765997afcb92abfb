//! Letters with marks, which Unicode writes in two ways: `é` as one character, or as `e` with a mark behind it, as macOS does in
//! the names of files. Words are indexed with one character for both.

/// For each mark, pairs of a small letter and the letter with the mark: the canonical compositions of Unicode's `UnicodeData.txt` with
/// a mark of U+0300 to U+036F, below U+2000.
const COMPOSED: &[(char, &str)] = &[
    (
        '\u{300}',
        "aàeèiìoòuùüǜnǹеѐиѝēḕōṑwẁâầăằêềôồơờưừyỳἀἂἁἃἐἒἑἓἠἢἡἣἰἲἱἳὀὂὁὃὐὒὑὓὠὢὡὣαὰεὲηὴιὶοὸυὺωὼ᾿῍ϊῒ῾῝ϋῢ¨῭",
    ),
    (
        '\u{301}',
        "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿ¨΅ϊΐαάεέηήιίϋΰοόυύωώϒϓгѓкќçḉēḗïḯkḱmḿõṍōṓpṕũṹwẃâấăắêếôốơớưứἀἄἁἅἐἔἑἕἠἤἡἥἰἴἱἵὀὄὁὅὐὔὑὕὠὤὡὥ᾿῎῾῞",
    ),
    ('\u{302}', "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"),
    ('\u{303}', "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"),
    ('\u{304}', "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳиӣуӯgḡḷḹṛṝαᾱιῑυῡ"),
    ('\u{306}', "aăeĕgğiĭoŏuŭийуўжӂаӑеӗȩḝạặαᾰιῐυῠ"),
    ('\u{307}', "cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"),
    ('\u{308}', "aäeëiïoöuüyÿιϊυϋϒϔеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹhḧõṏūṻwẅxẍtẗ"),
    ('\u{309}', "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"),
    ('\u{30a}', "aåuůwẘyẙ"),
    ('\u{30b}', "oőuűуӳ"),
    ('\u{30c}', "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"),
    ('\u{30f}', "aȁeȅiȉoȍrȑuȕѵѷ"),
    ('\u{311}', "aȃeȇiȋoȏrȓuȗ"),
    ('\u{313}', "αἀεἐηἠιἰοὀυὐωὠρῤ"),
    ('\u{314}', "αἁεἑηἡιἱοὁυὑωὡρῥ"),
    ('\u{31b}', "oơuư"),
    ('\u{323}', "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"),
    ('\u{324}', "uṳ"),
    ('\u{325}', "aḁ"),
    ('\u{326}', "sștț"),
    ('\u{327}', "cçgģkķlļnņrŗsştţeȩdḑhḩ"),
    ('\u{328}', "aąeęiįuųoǫ"),
    ('\u{32d}', "dḓeḙlḽnṋtṱuṷ"),
    ('\u{32e}', "hḫ"),
    ('\u{330}', "eḛiḭuṵ"),
    ('\u{331}', "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"),
    ('\u{342}', "ἀἆἁἇἠἦἡἧἰἶἱἷὐὖὑὗὠὦὡὧαᾶ¨῁ηῆ᾿῏ιῖϊῗ῾῟υῦϋῧωῶ"),
    ('\u{345}', "ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὰᾲαᾳάᾴᾶᾷὴῂηῃήῄῆῇὼῲωῳώῴῶῷ"),
];

/// Whether a character is such a mark.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn pairs(letters: &str) -> impl Iterator<Item = (char, char)> + '_ {
    let mut letters = letters.chars();
    std::iter::from_fn(move || Some((letters.next()?, letters.next()?)))
}

/// The letter with the mark, as one character; nothing when there is none.
pub(super) fn composed(letter: char, mark: char) -> Option<char> {
    let at = COMPOSED.binary_search_by_key(&mark, |(mark, _)| *mark).ok()?;
    pairs(COMPOSED.get(at)?.1).find(|(bare, _)| *bare == letter).map(|(_, whole)| whole)
}

/// The letter and the mark of which a letter is made.
fn parted(letter: char) -> Option<(char, char)> {
    COMPOSED.iter().find_map(|(mark, letters)| {
        pairs(letters).find(|(_, whole)| *whole == letter).map(|(bare, _)| (bare, *mark))
    })
}

/// A pattern for a folded word, however its letters are written.
pub(super) fn in_both_ways(word: &str) -> String {
    if word.is_ascii() {
        return regex::escape(word);
    }
    word.chars().map(either).collect()
}

fn either(c: char) -> String {
    let one = regex::escape(c.encode_utf8(&mut [0; 4]));
    match parted(c).filter(|_| !c.is_ascii()) {
        Some((bare, mark)) => format!("(?:{one}|{}{mark})", either(bare)),
        None => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_their_marks() {
        assert!(COMPOSED.is_sorted_by_key(|(mark, _)| *mark));
        assert_eq!(composed('e', '\u{301}'), Some('é'));
        assert_eq!(composed('ê', '\u{301}'), Some('ế'));
        assert_eq!(composed('и', '\u{306}'), Some('й'));
        assert_eq!(composed('x', '\u{301}'), None);
        let both = regex::Regex::new(&format!("^{}$", in_both_ways("tiếng"))).unwrap();
        for text in ["tiếng", "tie\u{302}\u{301}ng", "tiê\u{301}ng"] {
            assert!(both.is_match(text), "{text}");
        }
        assert!(!both.is_match("tieng"));
        assert_eq!(in_both_ways("a_b"), "a_b");
    }
}
