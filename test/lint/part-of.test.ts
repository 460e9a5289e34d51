import { expect, test } from 'vitest'
import { lintText } from '../../src/lint/lint-text.ts'

const codes = ['failure_swallowed', 'insecure_download', 'password_argument']

/** The places of what the three rules find, as text of the file. */
function placesIn(text: string): string[] {
  const lines = text.split('\n')
  return lintText(text, { advice: true })
    .findings.filter(({ code }) => codes.includes(code))
    .map(({ code, line, column, end_line, end_column }) => {
      const last = line === end_line ? (end_column ?? 0) - 1 : undefined
      return `${code}:${line} ${lines[(line ?? 0) - 1]?.slice((column ?? 0) - 1, last)}`
    })
}

test.each([
  [
    'a literal block',
    'script:\n  - |\n    cd app\n\n    make lint\n    ls\n',
    ['failure_swallowed:5 make lint'],
  ],
  [
    'a folded block',
    'script:\n  - >-\n    cd app;\n    make lint;\n    curl -sL\n    http://example.com/x | sh\n',
    ['failure_swallowed:4 make lint', 'insecure_download:5 curl -sL'],
  ],
  [
    'a block with a comment in its header',
    'install: | # all of it\n  make\n  docker login -u me -p "$P"\n',
    ['password_argument:3 docker login -u me -p "$P"'],
  ],
  [
    'more than a list of commands',
    'install: |\n  if [ "$P" ]; then\n    docker login \\\n      -p "$P"\n  fi\n',
    ['password_argument:3 docker login \\'],
  ],
  [
    'a plain text',
    'install: npm ci &&\n  docker login -p "$P" &&\n  wget -qO- http://example.com/x | bash\n',
    [
      'insecure_download:3 wget -qO- http://example.com/x',
      'password_argument:2 docker login -p "$P"',
    ],
  ],
  [
    'a quoted text',
    "install: 'npm ci\n\n  docker login -p me'\n",
    ['password_argument:3 docker login -p me'],
  ],
  [
    'the second of two similar commands',
    'install: |\n  curl -o x http://example.com/x\n  curl http://example.com/x | sh\n',
    ['insecure_download:3 curl http://example.com/x'],
  ],
  [
    'a text with escapes, whose positions are unknown',
    'install: "npm ci\\n\n  docker login -p me"\n',
    ['password_argument:1 "npm ci\\n'],
  ],
  [
    'one line',
    'install: cd x && docker login -p me\n',
    ['password_argument:1 cd x && docker login -p me'],
  ],
])('a command is found at its line in %s', (_title, text, expected) => {
  expect(placesIn(text).toSorted()).toEqual(expected)
})

test('a command after || is not in a pipeline', () => {
  expect(placesIn('install: curl -sO http://example.com/x || sh y\n')).toEqual([])
})
