import { describe, expect, test } from 'vitest'
import { refusal } from './read.ts'

const quotes = 'Put quotes around the value.'

/** What people write, where they are told about it, and what. */
const mistakes: [title: string, text: string, at: string, message: string, hint: string][] = [
  [
    'a tab as indentation',
    'script:\n\t- make',
    '2:2',
    'A tab indents this line.',
    'Indent with spaces only.',
  ],
  [
    'a tab in a block of text',
    'script: |\n  make\n\ttest',
    '3:2',
    'A tab indents this line.',
    'Indent with spaces only.',
  ],
  [
    'a tab before a block of text',
    'script: |\n\tmake',
    '2:2',
    'A tab indents this line.',
    'Indent with spaces only.',
  ],
  [
    'a colon within quotes at the end of a command',
    'script:\n  - printf "CPU Cores: "',
    '2:22',
    'This colon followed by a space makes a key of the text before it, although it is within quotes.',
    'Put the whole value in quotes that it does not contain.',
  ],
  [
    'a colon within quotes before a command with quotes',
    'script:\n  - printf "CPU Cores: "\n  - echo "hi"',
    '2:22',
    'This colon followed by a space makes a key of the text before it, although it is within quotes.',
    'Put the whole value in quotes that it does not contain.',
  ],
  [
    'a colon within quotes before more of the command',
    "script:\n  - printf 'CPU: ' && nproc",
    '2:16',
    'This colon followed by a space makes a key of the text before it, although it is within quotes.',
    'Put the whole value in quotes that it does not contain.',
  ],
  [
    'a key without a colon above the other keys of an entry',
    'jobs:\n  include:\n  - env FOO=foo\n    compiler: gcc',
    '3:5',
    'A colon is missing here: the keys of this entry start in the same column on the lines below.',
    'Write "key: value", with a colon and a space after the key.',
  ],
  [
    'an entry indented too far',
    'env:\n   - A=1\n  - B=2',
    '3:3',
    'This line is indented further than the lines that it should be aligned with.',
    'Start it in the same column as the other keys or entries of its part, or indent it ' +
      'further than all of them if it belongs to the value above.',
  ],
  [
    'a document that ends within quotes',
    'script: "make\n--- test"',
    '1:9',
    'The quote (") that starts here is never closed.',
    'Add the closing ". A text that only contains this character needs quotes of the other kind around it.',
  ],
  [
    'a document that ends within brackets',
    'script: [make,\n... test]',
    '1:9',
    'The "[" that starts here is never closed.',
    'Add "]" where it ends. A text that starts with "[" needs quotes around it.',
  ],
  [
    'a comment within a value',
    'script:\n  - make\n#  now\n    test = 1',
    '4:5',
    'This line is indented further than the lines that it should be aligned with.',
    'If it goes on with the comment, start it with "#". If it goes on with the value above, move the ' +
      'comment above its key: a comment ends a value.',
  ],
  [
    'an entry after a comment, indented too far',
    'env:\n   - A=1 # x\n    - B=2',
    '3:5',
    'This line is indented further than the lines that it should be aligned with.',
    'Start it in the same column as the other keys or entries of its part, or indent it ' +
      'further than all of them if it belongs to the value above.',
  ],
  [
    'a key indented too far',
    'script: make\n  os: linux',
    '2:3',
    'This line looks like a key, but it is indented so far that it goes on with the value above.',
    'Start it in the same column as the key above, or put quotes around the value.',
  ],
  [
    'a key among entries',
    'script:\n  - make\n  os: linux',
    '3:3',
    'Entries with "- " and a line without it are in the same column.',
    'Start this line with "- " if it is one more entry, or move it to the column of the key ' +
      'above the entries.',
  ],
  [
    'a dash without a space',
    'script:\n  - make\n  -test',
    '3:3',
    'Entries with "- " and a line without it are in the same column.',
    'Put a space after the dash.',
  ],
  [
    'an entry among keys',
    'os: linux\n- make',
    '2:1',
    'An entry that starts with "- " is in the column of the keys.',
    'Indent the entry below the key it belongs to, or give it a key.',
  ],
  [
    'an entry on the line of its key',
    'script: - make',
    '1:9',
    'The first "- " of a list cannot be on the line of its key.',
    'Move it to the next line, or put quotes around the value if the dash is part of it.',
  ],
  [
    'a colon in a value',
    'script: echo "a: b"',
    '1:16',
    'A value on the line of its key holds a colon followed by a space.',
    'Put the whole value in quotes that it does not contain, or move the nested key to a line of its own, indented.',
  ],
  [
    'typographic quotes',
    'script: “a: b”',
    '1:11',
    'A value on the line of its key holds a colon followed by a space.',
    'Write straight quotes (" or \') instead of typographic ones.',
  ],
  [
    'no space after a colon',
    'os: linux\nlanguage:ruby\nscript: make',
    '2:1',
    'A key is expected here, but this line has no colon followed by a space.',
    'Put a space after the colon.',
  ],
  [
    'no colon',
    'os: linux\nscript make',
    '2:1',
    'A key is expected here, but this line has no colon followed by a space.',
    'Write "key: value". If the line goes on with the value above, indent it further.',
  ],
  [
    'an equals sign',
    'os: linux\nlanguage = ruby',
    '2:1',
    'A key is expected here, but this line has no colon followed by a space.',
    'Write "key: value", with a colon and a space instead of "=".',
  ],
  [
    'marks of a merge conflict',
    'os: linux\n<<<<<<< HEAD\nrvm: 1\n=======\nrvm: 2\n>>>>>>> topic',
    '2:1',
    'A key is expected here, but this line has no colon followed by a space.',
    'Resolve the merge conflict whose marks are left here.',
  ],
  [
    'a comment of another language',
    '// for Linux\nos: linux',
    '1:1',
    'A key is expected here, but this line has no colon followed by a space.',
    'A comment starts with "#".',
  ],
  [
    'a fence of Markdown',
    '```yaml\nos: linux\n```',
    '1:1',
    'A value cannot start with "`".',
    'Remove the lines with ```: they belong to Markdown, not to this file.',
  ],
  ['@', 'script: @make', '1:9', 'A value cannot start with "@".', quotes],
  ['a backtick', 'script: `make`', '1:9', 'A value cannot start with "`".', quotes],
  ['%', 'script: %make', '1:9', 'A value cannot start with "%".', quotes],
  ['a comma', 'script: ,', '1:9', 'A value cannot start with ",".', quotes],
  ['a closing bracket', 'script: ]', '1:9', 'A value cannot start with "]".', quotes],
  ['a bar in a flow collection', 'a: [|]', '1:5', 'A value cannot start with "|".', quotes],
  [
    '% at the start of the file',
    '%script: make',
    '1:1',
    'A line cannot start with "%".',
    'Put quotes around the text.',
  ],
  [
    'a template',
    'script: {{ make }}',
    '1:9',
    'A text that starts with "{{" would be a map within a map.',
    'Put quotes around the whole value.',
  ],
  [
    'a template as entry',
    'script: [{{ make }}]',
    '1:10',
    'A text that starts with "{{" would be a map within a map.',
    'Put quotes around the whole value.',
  ],
  [
    'a sequence as key',
    '[a]: b',
    '1:1',
    'A map or a list cannot be a key.',
    'Put quotes around a text that starts with a bracket.',
  ],
  [
    'a map as key',
    '? {a: 1}\n: b',
    '1:3',
    'A map or a list cannot be a key.',
    'Put quotes around a text that starts with a bracket.',
  ],
  [
    'an alias as key',
    '*x : y',
    '1:1',
    'An alias cannot be a key.',
    'Put quotes around a key that starts with "*"; to take over a whole map write "<<: *name".',
  ],
  [
    'no key',
    'a: 1\n: 2',
    '2:1',
    'There is no key before this colon.',
    'Write a key before it, or put quotes around a value that starts with a colon and a space.',
  ],
  [
    'a file pattern',
    'files: *.js',
    '1:8',
    '"*" at the start of a value must be followed by a name of letters and digits.',
    'Put quotes around a text that starts with "*".',
  ],
  [
    'an ampersand',
    'script: && make',
    '1:9',
    '"&" at the start of a value must be followed by a name of letters and digits.',
    'Put quotes around a text that starts with "&".',
  ],
  [
    'an anchor instead of a key',
    '&base: {a: 1}',
    '1:1',
    '"&" at the start of a value must be followed by a name of letters and digits.',
    'Write the key first: "base: &base".',
  ],
  [
    'two anchors',
    'a: &x &y b',
    '1:7',
    'This value has more than one anchor or tag, or an alias has one of its own.',
    'Leave one "&name" and one "!tag" before a value. A text that starts with "&", "!" or "*" ' +
      'needs quotes around it.',
  ],
  [
    'an alias with an anchor',
    'a: &x *y',
    '1:7',
    'This value has more than one anchor or tag, or an alias has one of its own.',
    'Leave one "&name" and one "!tag" before a value. A text that starts with "&", "!" or "*" ' +
      'needs quotes around it.',
  ],
  [
    'an alias of the node that contains it',
    'a: &x [1, *x]',
    '1:11',
    'The alias "*x" is inside the part that it repeats.',
    'Move the alias out of that part, or remove it.',
  ],
  [
    'an open quote',
    'script: "make\nos: linux',
    '1:9',
    'The quote (") that starts here is never closed.',
    'Add the closing ". A text that only contains this character needs quotes of the other kind ' +
      'around it.',
  ],
  [
    'an open quote in a flow collection',
    "script: ['make]\nos: linux",
    '1:10',
    "The quote (') that starts here is never closed.",
    "Add the closing '. A text that only contains this character needs quotes of the other kind " +
      'around it.',
  ],
  [
    'a quote that the next quote closes',
    "a: 'b\nc: 'd'",
    '1:4',
    "The quote (') that starts here is closed on a later line only, before more text.",
    "Add ' where the value ends. If it does go on over several lines, write this character " +
      "within it as ''.",
  ],
  [
    'an apostrophe',
    "script: 'it's'",
    '1:13',
    "Text follows the closing quote (') of this value.",
    "Put quotes around the whole value, and write this character within them as ''.",
  ],
  [
    'quotes around a part of a value',
    'script: "make" && test',
    '1:16',
    'Text follows the closing quote (") of this value.',
    'Put quotes around the whole value, and write this character within them as \\".',
  ],
  [
    'a path of Windows',
    String.raw`script: "C:\path"`,
    '1:12',
    String.raw`"\p" means nothing within double quotes.`,
    'Write a backslash twice, or use single quotes, in which it is a character like any other.',
  ],
  [
    'an open bracket',
    'script: [make, test',
    '1:9',
    'The "[" that starts here is never closed.',
    'Add "]" where it ends. A text that starts with "[" needs quotes around it.',
  ],
  [
    'an open brace',
    'env: {A: 1,\n',
    '1:6',
    'The "{" that starts here is never closed.',
    'Add "}" where it ends. A text that starts with "{" needs quotes around it.',
  ],
  [
    'no comma',
    'env: {A: 1 B: 2}',
    '1:13',
    'Within "{" a comma or "}" is expected before this.',
    'Put a comma between two entries, and quotes around a text with commas, colons or brackets.',
  ],
  [
    'a bracket followed by keys',
    'script: [make\nos: linux',
    '2:1',
    'Within "[" a comma or "]" is expected before this.',
    'Put a comma between two entries, and quotes around a text with commas, colons or brackets.',
  ],
  [
    'text after a flow collection',
    'script: [ -d a ] && make',
    '1:18',
    'Something follows a value that has ended already.',
    'Put quotes around the whole value, or move the rest to a line of its own.',
  ],
  [
    'text after >',
    'script: > make',
    '1:11',
    'Nothing may follow ">" on its line.',
    '">" starts a text of several lines, which begins on the next line, indented. A value that ' +
      'itself starts with this character needs quotes around it.',
  ],
  [
    'text directly after |',
    'script: |make',
    '1:9',
    '"|make" does not start a block of text.',
    'Write "|" or ">" for a text of several lines, with "-" after it to drop the last line ' +
      'break; put quotes around a value that starts with this character.',
  ],
  [
    'a block of text in the column of its key',
    'script: | # all\nmake\nos: linux',
    '2:1',
    'A block of text starts on the line above, but this line is not indented.',
    'Indent the text further than its key.',
  ],
  [
    'a block of text that is not indented',
    'script:\n|-\nmake',
    '3:1',
    'A block of text starts on the line above, but this line is not indented.',
    'Indent the text further than its key.',
  ],
  [
    'white space before a block of text',
    'script: |\n    \n  make',
    '1:9',
    'The empty lines at the start of this block of text are indented further than its first line.',
    'Remove the white space in the empty lines.',
  ],
  [
    'a control character',
    'script: make\u0007',
    '1:13',
    'An invisible control character (U+0007) is here.',
    'Remove it; within double quotes write it as an escape.',
  ],
  [
    'an end before the start',
    '...\na: b',
    '1:1',
    'The file ends before it begins.',
    'Remove this line.',
  ],
]

describe('invalid YAML is refused, with its position and a hint', () => {
  test.each(mistakes)('%s', (_title, text, at, message, hint) => {
    expect(refusal(text)).toEqual({ kind: 'parse', at, message, hint })
  })
})

test('a position is that in the original file', () => {
  expect(refusal('\n\n  os: linux\n  a: @\n')).toMatchObject({ at: '4:6' })
  expect(refusal('os: linux\r\na: @')).toMatchObject({ at: '2:4' })
})

describe('a root that is not a map is refused', () => {
  const dashes = 'Put the list under a key, or remove its dashes.'
  const example = 'Write lines such as "language: ruby".'

  test.each([
    ['- a', 'a list', dashes],
    ['[]', 'a list', 'Put the list under a key.'],
    ['foo', 'a string', example],
    ['"a: b"', 'a string', example],
    ['true', 'a boolean', example],
    ['0', 'a number', example],
    ['language:ruby', 'a string', 'Put a space after the colon.'],
    ['language:ruby\nos:linux', 'a string', 'Put a space after the colon.'],
    ['language = ruby', 'a string', 'Write "key: value", with a colon and a space instead of "=".'],
  ])('%j is %s', (text, what, hint) => {
    const message = `The root of the file must be a mapping of keys to values, but it is ${what}.`
    expect(refusal(text)).toEqual({ kind: 'format', at: '1:1', message, hint })
  })
})
