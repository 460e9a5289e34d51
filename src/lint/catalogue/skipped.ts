import { quote } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

const meaning = (what: string) =>
  `${what} has a condition under \`if\`, which did not hold for this event. This is the purpose of a ` +
  'condition; the message only explains it.'

/** Messages about parts that a condition left out. */
export const skipped: readonly CatalogueEntry[] = [
  {
    code: 'skip_job',
    levels: ['info'],
    meaning: meaning('The job'),
    text: ({ condition }) =>
      `this is left out, because its condition ${quote(condition)} does not hold`,
    examples: [
      {
        source: 'jobs:\n  include:\n    - script: a\n    - script: b\n      if: branch = dev\n',
        branch: 'master',
        messages: ['this is left out, because its condition "branch = dev" does not hold'],
      },
    ],
  },
  {
    code: 'skip_exclude',
    levels: ['info'],
    meaning: meaning('The entry of `jobs.exclude`'),
    text: ({ condition }) =>
      `jobs are not excluded, because the condition ${quote(condition)} does not hold`,
    examples: [
      {
        source: 'rvm: [3.2, 3.3]\njobs:\n  exclude:\n    - rvm: 3.2\n      if: branch = dev\n',
        branch: 'master',
        messages: ['jobs are not excluded, because the condition "branch = dev" does not hold'],
      },
    ],
  },
  {
    code: 'skip_allow_failure',
    levels: ['info'],
    meaning: meaning('The entry of `jobs.allow_failures`'),
    text: ({ number, condition }) =>
      `job ${String(number)} may not fail, because the condition ${quote(condition)} does not hold`,
    examples: [
      {
        source:
          'rvm: [3.2, 3.3]\njobs:\n  allow_failures:\n    - rvm: 3.3\n      if: branch = dev\n',
        branch: 'master',
        messages: ['job 2 may not fail, because the condition "branch = dev" does not hold'],
      },
    ],
  },
  {
    code: 'skip_stage',
    levels: ['info'],
    meaning: meaning('The stage'),
    text: ({ number, condition }) =>
      `stage ${String(number)} is left out with its jobs, because its condition ${quote(condition)} ` +
      'does not hold',
    examples: [
      {
        source:
          'stages:\n  - test\n  - name: deploy\n    if: branch = dev\njobs:\n  include:\n' +
          '    - script: a\n    - stage: deploy\n      script: b\n',
        branch: 'master',
        messages: [
          'stage 2 is left out with its jobs, because its condition "branch = dev" does not hold',
        ],
      },
    ],
  },
  {
    code: 'skip_notification',
    levels: ['info'],
    meaning: meaning('The notification'),
    text: ({ type, condition }) =>
      `a notification by ${String(type)} is left out, because its condition ${quote(condition)} does ` +
      'not hold',
    examples: [
      {
        source: 'notifications:\n  email:\n    recipients: me@example.com\n    if: branch = dev\n',
        branch: 'master',
        messages: [
          'a notification by email is left out, because its condition "branch = dev" does not hold',
        ],
      },
    ],
  },
  {
    code: 'skip_import',
    levels: ['info'],
    meaning: meaning('The import'),
    text: ({ source, condition }) =>
      `the import of ${quote(source)} is left out, because its condition ${quote(condition)} does not ` +
      'hold',
    examples: [
      {
        source: 'import:\n  - source: nightly.yml\n    if: type = cron\n',
        imports: { 'nightly.yml': 'os: linux\n' },
        messages: [
          'the import of "nightly.yml" is left out, because its condition "type = cron" does not hold',
        ],
      },
    ],
  },
]
