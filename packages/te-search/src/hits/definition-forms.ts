/** How surely a line defines what matched in it. */
export const SURELY = 3;
export const LIKELY = 2;
/** A prototype; a member or a local variable. */
export const DECLARES = 1.5;
/** It defines something whose name only holds what matched. */
export const PARTLY = 1;

/** A beginning of lines: the first group is what stands before a name, the last is the name. */
export type Form = readonly [pattern: RegExp, score: number];

/** Of any script. The sets that Unicode has for them take a millisecond each to be compiled. */
const LETTERS = String.raw`A-Za-z_\u00c0-\u1fff\u2c00-\udfff\uf900-\uffef`;
const NAME = `([${LETTERS}$][${LETTERS}$0-9]*[?!]?)`;
const ACCESS = String.raw`public|private(?:\(\w+\))?|protected|internal|fileprivate|static|final|abstract|override|readonly|pub(?:\([^)]*\))?`;
const MODIFIER = [
  ACCESS,
  String.raw`export|default|declare|async|sealed|open|inline|unsafe|extern|"C"|partial|virtual|local|global|suspend|lateinit`,
  String.raw`companion|case|implicit|lazy|actual|expect|inner|infix|operator|tailrec|annotation|mutating|indirect|required`,
  String.raw`volatile|transient|synchronized|native|constexpr|consteval|explicit`,
  String.raw`data(?=\s+(?:class|object)\b)|value(?=\s+class\b)|enum(?=\s+(?:class|struct)\b)|class(?=\s+(?:func|var)\b)`,
  String.raw`typedef(?=\s+(?:struct|union|enum)\b)|const(?=\s+(?:fn|enum|val)\b)`,
  String.raw`@[\w.]+(?:\([^()]*\))?`,
].join("|");
const TEMPLATE = String.raw`template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*`;
const MODIFIERS = String.raw`(?:${TEMPLATE})?(?:(?:${MODIFIER})\s+)*`;
const KEYWORD = [
  String.raw`(function\*?|class|interface|type|typealias|associatedtype|enum|namespace|module|mod|struct|trait|fn|func`,
  String.raw`fun(?:\s*<[^()]*>)?|def|defp|defmacrop?|defmodule|defprotocol|defguardp?|defdelegate|sub|let(?:\s+(?:mut|rec))?|var|val`,
  String.raw`const(?=\s+[\w$]+\s*(?:[:=]|$))|static(?=\s+(?:mut\s+)?[\w$]+\s*[:=])|(?:using|typedef)(?=\s+\w+\s*=)|object|record|union|#\s*define`,
  String.raw`macro_rules!|protocol|extension|procedure|proc|mixin|actor|message|service|rpc|alias|newtype|@(?:type|typep|opaque))`,
].join("|");
/** LIBRARY_API in `class LIBRARY_API name {`. */
const MACRO = String.raw`(?:(?<=\b(?:class|struct|union)\s+)[A-Z][A-Z0-9]*_[A-Z0-9_]*\s+(?!(?:extends|implements|final|where|with|is)\b))?`;
const PARAMETERS = String.raw`\??(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)`;
const TYPE = String.raw`[${LETTERS}?][\w:<>,&*[\]~?.|]*`;

/**
 * Applied to lines that were cut to a few hundred characters. Groups with names would make an object for each of
 * thousands of lines.
 */
const form = (before: string, after = "", flags = "") => new RegExp(`^(${before})${NAME}${after}`, flags);

/** The second group is the keyword. */
export const BY_KEYWORD = form(String.raw`${MODIFIERS}${KEYWORD}\s+${MACRO}(?:[\w$]+(?:\.|::|:(?=\w+\s*\()))*`);

const SQL = [
  String.raw`create\s+(?:or\s+replace\s+)?(?:unique\s+|temp\s+|temporary\s+|materialized\s+)?`,
  String.raw`(?:table|view|index|function|procedure|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?`,
  String.raw`(?:[\w"]+\.)?["\x60]?`,
].join("");

/** Words before a name that say what it is. */
export const FORMS: readonly Form[] = [
  // A method of Go.
  [form(String.raw`func\s+\([^)]*\)\s*`), SURELY],
  [form(String.raw`\((?:defn-?|defun|defmacro|define|defvar|defmethod|def)\s+\(?`), SURELY],
  [form(SQL, "", "i"), SURELY],
  // name = function, class or arrow
  [
    form(
      String.raw`(?:[\w$]+\.)*`,
      String.raw`\s*[=:]\s*(?:async\b|function\b|class\b|\([\w$\s,:{}]*\)\s*=>|[\w$]+\s*=>)`,
    ),
    SURELY,
  ],
  // The types of C: a function's, the last word, and what is named behind its body.
  [form(String.raw`typedef\s[^;(]*\(\s*(?:\w+\s+)?\**\s*`, String.raw`\s*\)\s*\(`), SURELY],
  [form(String.raw`typedef\s[^;]*[\s*]`, String.raw`\s*(?:\[[^\]]*\]\s*)*;`), SURELY],
  [form(String.raw`\}\s*`, String.raw`\s*(?:,\s*\*\w+\s*)?;`), LIKELY],
  // Types, and the functions' types, of Haskell; what Erlang names.
  [form("data\\s+", String.raw`(?:\s+[a-z]\w*)*\s*(?:=|where\b|$)`), LIKELY],
  [form("", String.raw`\s+::\s`), LIKELY],
  [form(String.raw`[{,]\s*`, String.raw`\s+::\s`), DECLARES],
  [form(String.raw`-(?:define|record|type|opaque|module)\(?\s*`), SURELY],
  [form(String.raw`(?:attr_(?:reader|writer|accessor)|alias_method|define_method)[\s(]+[:"']`), LIKELY],
  [form(String.raw`(?:module\.)?exports\.`, String.raw`\s*=`), LIKELY],
  // name() { of a shell; without the brace it may as well be a call.
  [form("", String.raw`\s*\(\)\s*\{\s*$`), LIKELY],
  // A method with its body, or with its type.
  [
    form(
      String.raw`${MODIFIERS}(?:get\s+|set\s+)?[*#]?`,
      String.raw`${PARAMETERS}\s*(?:(?::|->|throws|const|noexcept|override)[^{};]*)?\{`,
    ),
    LIKELY,
  ],
  [form(String.raw`${MODIFIERS}(?:get\s+|set\s+)?#?`, String.raw`${PARAMETERS}\s*:\s*[^;{}]+;?\s*$`), LIKELY],
  // A constructor outside of its class.
  [form(String.raw`(?:\w+::)*(\w+)(?:<[^>]*>)?::~?(?=\2\()`, String.raw`\(`), LIKELY],
  // A selector of CSS.
  [form("[.#]", String.raw`[^;(=]*[{,]\s*$`), LIKELY],
];

/** A type and a name, as C, C++, Java and C# have it; the second group is the type. */
export const TYPED = form(
  String.raw`${MODIFIERS}(${TYPE}(?<!:))\s+(?:[\w:<>,&*[\]~?.|]+\s+)*[*&]*(?:\w+::)*`,
  String.raw`(?:<[^()]*>)?\s*(?=[([{=;])`,
);
/** What follows the name of a function: its body, now or later, or none. */
export const WITH_CODE = /^\((?:[^;]*$|[^;{}]*\)[^;{}]*\{|[^;{}=]*\)\s*=>)/;
export const WITHOUT_CODE = /^\([^;{}=]*\)[^;{}=()]*;\s*$/;
/** What follows the name of a property of C#, and that of a variable. */
export const PROPERTY = /^(?:\{\s*(?:get|set|init)\b|=>)/;
export const VARIABLE = /^(?:\[[^\]]*\]\s*)*(?:;|=(?![=>~])(?:.*[;{([,\\]\s*(?:\/[/*].*)?)?\s*$)/;
/** A member that says who may use it. */
export const MEMBER = form(
  String.raw`(?:(?:${ACCESS})\s+)+(?:(?:const|volatile|transient|declare|let|var|val)\s+)*(?:${TYPE}\s+)*`,
  String.raw`[?!]?\s*(?:\[[^\]]*\]\s*)*(?:=(?![=>~])|;|:\s*\S|<.*\($)`,
);
/** name: Type, in the body of a type. */
export const TYPED_BEHIND = form(
  "",
  String.raw`[?!]?\s*:\s*(?:[A-Z&'[]|[a-z]\w*(?:\[\])*(?:\s*\|\s*\w+)*\s*[,;=]?\s*$)`,
);
/** name = …, at the beginning of a line: a constant of Python, a variable of a shell or a Makefile. */
export const TOP_LEVEL = form(
  String.raw`(?:(?:export|readonly|declare)\s+(?:-\w+\s+)?)?`,
  String.raw`\s*(?::\s*[\w[\].,|]+\s*)?(?::=|\?=|=(?![=>~]))`,
);
/** NAME = …, anywhere, where it is no statement. */
export const CONSTANT = /^()([A-Z][A-Z0-9_]*)\s+=(?![=>~]).*[^;\s]\s*$/;
/** name() at the beginning of a line: the brace of a shell function may follow. */
export const BARE = form("", String.raw`\s*\(\)\s*$`);
