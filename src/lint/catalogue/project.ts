import type { CatalogueEntry } from './entry.ts'

const nothing = 'a comment "lint-ignore" has no effect'

/** Messages about a project's instructions to the linter. */
export const project: readonly CatalogueEntry[] = [
  {
    code: 'lint_ignore',
    levels: ['info'],
    meaning:
      'A comment `# lint-ignore CODE: reason` leaves out findings with this code at its line or, where the ' +
      'comment has a line to itself, at the next one. It has one code and a reason. This one has no ' +
      'effect. Alerts and errors cannot be left out, and builds are the same with and without it.',
    text: ({ problem }) => `${nothing}: ${String(problem)}`,
    examples: [
      {
        source:
          'script:\n  - npm test; npm run report # lint-ignore failure_swallowed: fails in winter\n',
        messages: [],
      },
      {
        source: '# lint-ignore find_key: an old name\nscript: make\n',
        messages: [`${nothing}: "find_key" is not reported at its line: remove it`],
      },
      {
        source: 'scirpt: make # lint-ignore find_key\n',
        messages: [`${nothing}: write "# lint-ignore CODE: reason", with one code and a reason`],
      },
      {
        source: 'scirpt: make # lint-ignore typos: of no use\n',
        messages: [`${nothing}: there is no code "typos": copy the code from a finding`],
      },
      {
        source: 'addons: 1 # lint-ignore invalid_type: ours\n',
        messages: [
          `${nothing}: findings with the code "invalid_type" stop builds or reveal a secret: correct that, and remove ` +
            'the comment',
        ],
      },
    ],
  },
  {
    code: 'lint_settings',
    levels: ['error'],
    meaning:
      'The file `.service-lint.yml` at the root of the repository configures the linter for a project: under `rules` a line `CODE: off` or `CODE: info`, `warn` or `error` for each code that ' +
      'is to be left out or has another level, and under `files` the paths of its build files. A file ' +
      'with an error is ignored as a whole. Alerts and errors cannot be left out, ' +
      'and builds do not read it.',
    text: ({ problem }) =>
      `this settings file is ignored, because it contains an error: ${String(problem)}`,
    examples: [
      {
        source: 'rules:\n  failure_swallowed: off\n  script_cannot_fail: warn\nfiles: ci/*.yml\n',
        settings: true,
        messages: [],
      },
      {
        source: 'rules:\n  failure_swalowed: off\n',
        settings: true,
        messages: [
          'this settings file is ignored, because it contains an error: there is no code "failure_swalowed": ' +
            'build-service lint --list-rules shows them all',
        ],
      },
    ],
  },
]
