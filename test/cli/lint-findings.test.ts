// What the linter finds in small files, as a person or a program sees it: one run of the command over
// all of them. The rules themselves have their own tests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installedLinter } from '../support/linter.ts'

interface Found {
  code: string
  message: string
  file: string
  line: number
}

const shell = 'language: shell\n'
const made = `${shell}script: make\n`

/** A title, a file, and its findings, by line and code. */
const rows: [title: string, source: string, found: string[]][] = [
  // Values and keys, as the observed service reads them.
  ['a secret without a value is empty', `${made}notifications: {hipchat: {secure: }}`, ['3 empty']],
  ['a misspelled key is found once', `${made}branche: master`, ['3 find_key']],
  ['a list of conditions is fine', `${made}notifications: {on_failure: [always]}`, []],
  ['an os that is not a string has no distribution', `${made}os: [{a: b}]`, ['3 invalid_type']],
  [
    'a long value is cleaned like a short one',
    `${made}dist: xenial because ${'so '.repeat(80)}`,
    ['3 clean_value', '3 no_effect_in_service'],
  ],
  [
    'a key in capitals keeps its path',
    'LANGUAGE: [minimal, minimal]\nscript: make',
    ['1 unexpected_seq', '1 underscore_key', '1 alias_value'],
  ],
  [
    'a list in a list is reported once',
    `${made}deploy: {provider: heroku, skip_cleanup: [[a, b], c]}`,
    [
      '3 invalid_type',
      '3 unexpected_seq',
      '3 deprecated_key',
      '3 deploys_default_branch',
      '3 no_effect_in_service',
    ],
  ],
  ['a dash has its value below', `${shell}script:\n-\nmake`, []],
  ['a byte order mark is dropped anywhere', `${shell}\uFEFFscript: make`, []],
  [
    'a colon in a command is reported',
    `${shell}script:\n- printf "CPU Cores: "`,
    ['3 parse_error'],
  ],
  [
    'a missing colon is reported',
    `${made}jobs:\n  include:\n    - env FOO=foo\n      os: linux`,
    ['5 parse_error'],
  ],
  // Advice.
  [
    'a variable of a deployment is not a variable of the job',
    `${made}deploy: {provider: convox, env: CFLAGS=-O2 -Wall}`,
    [
      '3 required',
      '3 required',
      '3 required',
      '3 deploys_default_branch',
      '3 no_effect_in_service',
    ],
  ],
  [
    'a function in the file can contain the check',
    `${shell}before_script: report() { echo; }\nscript: npm test; report`,
    [],
  ],
  ['a failure goes unnoticed', `${shell}script: npm test; echo done`, ['2 failure_swallowed']],
  [
    'a stage can consist of a deployment only',
    `${shell}stages: [{name: ship, if: branch = main}]\njobs:\n  include:\n    - {stage: ship, script: skip, deploy: {provider: npm}}`,
    ['5 no_effect_in_service'],
  ],
  [
    'services, addons, cache and deploy',
    `${made}services: [redis]\naddons: {apt: {packages: [a]}}\ncache: npm\ndeploy: {provider: npm}`,
    [
      '6 deploys_default_branch',
      '3 no_effect_in_service',
      '4 no_effect_in_service',
      '5 no_effect_in_service',
      '6 no_effect_in_service',
    ],
  ],
  [
    'a number that is compared with a boolean',
    `${shell}script: '[ "$SERVICE_PULL_REQUEST" = true ] && make'`,
    ['2 pull_request_is_number'],
  ],
  [
    'a token as a user name',
    `${shell}script: git push https://$GH_TOKEN@github.com/a/b`,
    ['2 publish_on_pull_request', '2 token_as_user_name'],
  ],
  ['a trace of secrets', `${shell}script: [set -x, ./publish.sh $NPM_TOKEN]`, ['2 traces_secrets']],
  ['tests that come too late', `${made}after_success: npm test`, ['3 test_too_late']],
  [
    'an entry that cannot fail',
    `${shell}script: [make, npm test || true]`,
    ['2 script_cannot_fail'],
  ],
  [
    'certificates that are not checked',
    `${shell}script: [npm config set strict-ssl false, make]`,
    ['2 certificates_not_checked'],
  ],
  [
    'git describe without tags',
    `${shell}git: {depth: 3}\nscript: git describe`,
    ['3 describe_without_tags'],
  ],
  [
    'a question that no one can answer',
    `${shell}install: sudo dnf install jq\nscript: make`,
    ['2 install_asks'],
  ],
  [
    'a password among arguments',
    `${shell}script: openssl enc -k $SECRET -in a`,
    ['2 password_argument'],
  ],
  [
    'a pipe that filters the output of a test',
    `${shell}script: npm test | grep -v warning`,
    ['2 failure_swallowed'],
  ],
  ['a command that bash cannot read', `${shell}script: 'echo $(a'`, ['2 unreadable_command']],
]

/** The notes on a file that this service does not run as written. */
const notes: [source: string, notes: string[]][] = [
  [
    'language: matlab',
    [
      'there is nothing to run, because the language "matlab" has no default commands in this service: ' +
        'add "script"',
    ],
  ],
  [
    `${made}os: osx`,
    [
      '"os: osx" needs a runner on such a machine: by default its jobs end with an error where this ' +
        'service has none',
    ],
  ],
  [
    `${made}git: {strategy: tarball}`,
    ['"git.strategy" has no effect in this service: the commit is always fetched with git'],
  ],
]

const linter = installedLinter()

const cwd = mkdtempSync(path.join(tmpdir(), 'lint-findings-'))
afterAll(() => rmSync(cwd, { recursive: true }))

let findings: Found[]

beforeAll(async () => {
  for (const [index, [, source]] of rows.entries()) {
    writeFileSync(path.join(cwd, nameOf(index)), `${source}\n`)
  }
  for (const [index, [source]] of notes.entries()) {
    writeFileSync(path.join(cwd, `note-${index}.yml`), `${source}\n`)
  }
  const names = [
    ...rows.map((_row, index) => nameOf(index)),
    ...notes.map((_note, index) => `note-${index}.yml`),
  ]
  const { stdout } = await linter.run(['lint', '--format', 'json', ...names], { cwd })
  findings = (JSON.parse(stdout) as { findings: Found[] }).findings
})

const nameOf = (index: number) => `${index}.yml`

test.each(rows.map(([title, , found], index) => ({ title, found, index })))(
  '$title',
  ({ found, index }) => {
    const own = findings.filter(({ file }) => file === nameOf(index))
    expect(own.map(({ line, code }) => `${line} ${code}`)).toEqual(found)
  },
)

test.each(notes.map(([source, says], index) => ({ source, says, index })))(
  'a key without effect, or a language without commands, is reported: $source',
  ({ says, index }) => {
    const own = findings.filter(({ file }) => file === `note-${index}.yml`)
    expect(own.map(({ message }) => message)).toEqual(says)
  },
)
