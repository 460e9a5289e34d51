import type { Report } from '../../../src/lint/finding.ts'

/** Two files: one with a finding of each kind, one with a hostile name and content. */
export const reports: readonly Report[] = [
  {
    file: '.service.yml',
    text: 'langauge: ruby\nscript:\n  - echo hello\n',
    findings: [
      {
        level: 'info',
        code: 'default',
        key: ['os'],
        message: '"os" is not given, so "linux" is used: write it down if you rely on it',
        file: '.service.yml',
        line: null,
        column: null,
        end_line: null,
        end_column: null,
        docs: 'lint/default',
      },
      {
        level: 'warn',
        code: 'find_key',
        key: ['langauge'],
        message: 'unknown key "langauge", read as "language": correct the spelling',
        file: '.service.yml',
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 9,
        docs: 'lint/find_key',
        fix: {
          title: 'write "language"',
          edits: [{ start: 0, end: 8, text: 'language' }],
          safe: true,
        },
      },
      {
        level: 'error',
        code: 'invalid_type',
        key: ['script'],
        message: 'a text is expected here',
        file: '.service.yml',
        line: 2,
        column: 1,
        end_line: 3,
        end_column: 15,
        docs: 'lint/invalid_type',
      },
    ],
  },
  {
    file: 'a,b:\n\u001B[31m<"&.yml',
    text: '\tsecret\u001B]0;title\u0007: \u202Eyes\n',
    findings: [
      {
        level: 'alert',
        code: 'secure',
        key: ['secret'],
        message: '100% <plain> "text"\n::error::\u001B[2J',
        file: 'a,b:\n\u001B[31m<"&.yml',
        line: 1,
        column: 2,
        end_line: 1,
        end_column: 8,
        docs: 'lint/secure',
      },
    ],
  },
]
