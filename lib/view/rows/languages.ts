/** What the highlighter knows of languages: for each a regular expression whose groups name the looks. */

/** The looks that a piece of code can have, the first one that fits first. */
export const syntaxKinds = ['comment', 'number', 'keyword', 'name', 'string', 'added', 'removed'] as const;

/** One of them. */
export type SyntaxKind = (typeof syntaxKinds)[number];

/** Double and single quotes on one line, with escapes. An end that is missing ends with the line. */
const DOUBLE = '"(?:[^"\\\\\\n]|\\\\.)*"?';
const SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'?";
const BACKTICK = '`(?:[^`\\\\]|\\\\[^])*`?';
const NUMBER = '\\b(?:0x[\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\b';
const SLASHES = '//[^\\n]*|/\\*[^]*?(?:\\*/|(?![^]))';
const HASH = '(?<![^\\s;(])#[^\\n]*';

function rules(parts: Readonly<Partial<Record<SyntaxKind, string>>>, flags = ''): RegExp {
  const groups = syntaxKinds.flatMap((kind) => (parts[kind] === undefined ? [] : [`(?<${kind}>${parts[kind]})`]));
  return new RegExp(groups.join('|'), `g${flags}`);
}

const words = (list: string): string => `\\b(?:${list.split(' ').join('|')})\\b`;

const curly = (keywords: string, strings = `${DOUBLE}|${SINGLE}`): RegExp =>
  rules({ comment: SLASHES, string: strings, number: NUMBER, keyword: words(keywords), name: '\\b[A-Za-z_]\\w*(?=\\()' });

const languages = {
  shell: () =>
    rules({
      comment: HASH,
      string: `${DOUBLE}|'[^']*'?`,
      keyword: words(
        'if then else elif fi for while until do done case esac in function select return exit break continue local export readonly declare set unset source eval exec trap sudo',
      ),
      name: '\\$\\{[^}\\n]*\\}?|\\$[A-Za-z_]\\w*|\\$[\\d@*#?$!-]|(?<=^|\\s)--?[A-Za-z][\\w-]*',
      number: '(?<![\\w./-])\\d+\\b(?![\\w./-])',
    }),
  python: () =>
    rules({
      comment: '#[^\\n]*',
      string: `[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))|${DOUBLE}|${SINGLE})`,
      number: NUMBER,
      keyword: words(
        'and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield True False None self',
      ),
      name: '@[\\w.]+|\\b[A-Za-z_]\\w*(?=\\()',
    }),
  script: () =>
    curly(
      'as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function if implements import in instanceof interface let new of readonly return satisfies static super switch this throw try type typeof var void while yield true false null undefined',
      `${DOUBLE}|${SINGLE}|${BACKTICK}`,
    ),
  json: () =>
    rules({
      comment: SLASHES,
      name: '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)',
      string: DOUBLE,
      number: `-?${NUMBER}`,
      keyword: words('true false null'),
    }),
  yaml: () =>
    rules(
      {
        comment: HASH,
        name: '^[ \\t]*(?:- +)*[^\\s#:\'"\\[\\]{},][^:\\n#]*(?=:(?:\\s|$))|[&*][A-Za-z_][\\w-]*',
        string: `${DOUBLE}|'[^'\\n]*'?`,
        number: '(?<=[\\s:[,])-?\\d[\\d_.]*(?=[\\s,\\]]|$)',
        keyword: '(?<=[:\\s-])(?:true|false|null|yes|no|on|off|~)(?=\\s|$)|^(?:---|\\.\\.\\.)$',
      },
      'm',
    ),
  toml: () =>
    rules(
      {
        comment: HASH,
        keyword: '^[ \\t]*\\[\\[?[^\\]\\n]*\\]\\]?|\\b(?:true|false)\\b',
        name: '^[ \\t]*[\\w."-]+(?=\\s*=)',
        string: `"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))|${DOUBLE}|'[^'\\n]*'?`,
        number: '(?<=[=\\s,[])[+-]?\\d[\\d_.:TZ+-]*',
      },
      'm',
    ),
  ini: () =>
    rules(
      {
        comment: '^[ \\t]*[#;][^\\n]*',
        keyword: '^[ \\t]*\\[[^\\]\\n]*\\]?',
        name: '^[ \\t]*[^\\s=:#;\\[][^=:\\n]*(?=[=:])',
        string: DOUBLE,
      },
      'm',
    ),
  conf: () =>
    rules(
      {
        comment: HASH,
        keyword: '^[ \\t]*</?[^>\\n]*>?|^[ \\t]*[A-Za-z_][\\w-]*(?=[\\s;{])',
        name: '\\$\\w+|%\\{[^}\\n]*\\}?',
        string: `${DOUBLE}|${SINGLE}`,
        number: '(?<=[\\s:=])\\d[\\w.]*\\b',
      },
      'm',
    ),
  diff: () =>
    rules({ comment: '^(?:diff|index|---|\\+\\+\\+)[^\\n]*', name: '^@@[^\\n]*', added: '^\\+[^\\n]*', removed: '^-[^\\n]*' }, 'm'),
  sql: () =>
    rules(
      {
        comment: '--[^\\n]*|/\\*[^]*?(?:\\*/|(?![^]))',
        string: "'(?:[^'\\n]|'')*'?",
        number: NUMBER,
        keyword: words(
          'add all alter analyze and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists explain false foreign from full grant group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning revoke right rollback row select set table then to true truncate union unique update using values view when where with',
        ),
        name: '\\b[a-z_]\\w*(?=\\()|"[^"\\n]*"?|`[^`\\n]*`?',
      },
      'i',
    ),
  go: () =>
    curly(
      'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota string int bool error byte any',
      `${DOUBLE}|${SINGLE}|${BACKTICK}`,
    ),
  rust: () =>
    curly(
      'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
      `${DOUBLE}|'(?:[^'\\\\\\n]|\\\\.)'`,
    ),
  c: () =>
    rules({
      comment: SLASHES,
      string: `${DOUBLE}|${SINGLE}|(?<=#include\\s*)<[^>\\n]*>`,
      number: NUMBER,
      keyword: `#\\s*[a-z]+\\b|${words(
        'auto bool break case catch char class const constexpr continue default delete do double else enum extern final float for goto if inline int long namespace new nullptr operator override private protected public register return short signed sizeof static struct switch template this throw try typedef typename union unsigned using virtual void volatile while true false NULL package import extends implements',
      )}`,
      name: '\\b[A-Za-z_]\\w*(?=\\()',
    }),
  docker: () =>
    rules(
      {
        comment: '^[ \\t]*#[^\\n]*',
        keyword:
          '^[ \\t]*(?:FROM|RUN|CMD|LABEL|EXPOSE|ENV|ADD|COPY|ENTRYPOINT|VOLUME|USER|WORKDIR|ARG|ONBUILD|STOPSIGNAL|HEALTHCHECK|SHELL|MAINTAINER)\\b|\\bAS\\b',
        string: `${DOUBLE}|'[^'\\n]*'?`,
        name: '\\$\\{[^}\\n]*\\}?|\\$\\w+|(?<=\\s)--[a-z][\\w-]*',
      },
      'm',
    ),
  hcl: () =>
    rules({
      comment: `#[^\\n]*|${SLASHES}`,
      string: DOUBLE,
      number: NUMBER,
      keyword: words('resource data variable output module provider terraform locals for in if true false null'),
      name: '(?<![\\w-])[A-Za-z_][\\w-]*(?=\\s*=[^=])|\\b[A-Za-z_]\\w*(?=\\()',
    }),
} as const satisfies Readonly<Record<string, () => RegExp>>;

type Language = keyof typeof languages;

const aliases: Readonly<Record<Language, string>> = {
  shell: 'sh bash zsh ksh dash fish ash shell console shell-session shellsession terminal',
  python: 'python py python3 pyi',
  script: 'js jsx mjs cjs javascript ts tsx mts typescript node',
  json: 'json jsonc json5 ndjson jsonl',
  yaml: 'yaml yml ansible compose',
  toml: 'toml',
  ini: 'ini cfg systemd service unit desktop properties dotenv env editorconfig gitconfig',
  conf: 'conf nginx apache apacheconf caddy caddyfile haproxy sshconfig ssh-config',
  diff: 'diff patch udiff',
  sql: 'sql mysql postgres postgresql psql sqlite plpgsql',
  go: 'go golang',
  rust: 'rust rs',
  c: 'c h cpp c++ cc hpp cxx objc java cs csharp kotlin kt swift',
  docker: 'dockerfile docker containerfile',
  hcl: 'hcl tf terraform',
};

const known: ReadonlyMap<string, Language> = new Map(
  (Object.entries(aliases) as [Language, string][]).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name, language] as const),
  ),
);

/** The rules for the language that a fence names (`sh`, `{.python}`, `yaml title=x`, `app/Dockerfile`); null for an unknown one. */
export function rulesFor(info: string): RegExp | null {
  const word = (/[^\s{}.,:=/]+(?=[\s{},:=]|$)/.exec(info.toLowerCase())?.[0] ?? '').trim();
  const language = known.get(word);
  return language === undefined ? null : languages[language]();
}
