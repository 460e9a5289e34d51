import { quote } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** More imported files than a build may read. */
const many = Array.from({ length: 26 }, (_, index) => `part-${index + 1}.yml`)

/** Which repositories can be imported from; the same text for hidden and for missing repositories. */
const importRule =
  '. All builds can import from public repositories. From a private one only private repositories of ' +
  'the same owner can, if its setting "allow_config_imports" is on, and no pull request from a fork'

/** Messages about files that cannot be imported. */
export const imports: readonly CatalogueEntry[] = [
  {
    code: 'invalid_ref',
    levels: ['error'],
    meaning:
      'The source of an import is either a path in the same repository, `path.yml` or ' +
      '`path.yml@ref`, or names another one, `owner/repository:path.yml@ref`. The path ends in ' +
      '`.yml`.',
    text: ({ ref }) =>
      `${quote(ref)} is not an import source: write "path.yml" or "owner/repository:path.yml", ` +
      'optionally followed by "@" and a ref',
    examples: [
      {
        source: 'import: ci/build.yaml\n',
        imports: {},
        messages: [
          '"ci/build.yaml" is not an import source: write "path.yml" or ' +
            '"owner/repository:path.yml", optionally followed by "@" and a ref',
        ],
      },
      {
        source: 'import: ci/build.yml\n',
        imports: { 'ci/build.yml': 'os: linux\n' },
        messages: [],
      },
    ],
  },
  {
    code: 'too_many_imports',
    levels: ['error'],
    meaning: 'The number of files that a build reads is limited. With more files nothing is built.',
    text: ({ max }) => `a build reads at most ${String(max)} files: import fewer`,
    examples: [
      {
        source: `import: [${many.join(', ')}]\n`,
        imports: Object.fromEntries(many.map((source) => [source, ''])),
        messages: ['a build reads at most 25 files: import fewer'],
      },
    ],
  },
  {
    code: 'invalid_ownership',
    levels: ['error'],
    meaning: 'A private repository may import only from private repositories of its own owner.',
    text: ({ owner }) =>
      `private repositories of ${quote(owner)}, another owner, cannot be imported from: copy the ` +
      'file, or make its repository public',
    examples: [
      {
        source: 'import: team/ci:build.yml\n',
        imports: { 'team/ci:build.yml': { refused: 'invalid_ownership' } },
        messages: [
          'private repositories of "team", another owner, cannot be imported from: copy the file, or ' +
            'make its repository public',
        ],
      },
    ],
  },
  {
    code: 'invalid_visibility',
    levels: ['error'],
    meaning: 'A public repository must not show what a private one holds.',
    text: ({ repo }) =>
      `${quote(repo)} is private and cannot be imported into a public repository: copy the file, or ` +
      'make that repository public',
    examples: [
      {
        source: 'import: team/ci:build.yml\n',
        imports: { 'team/ci:build.yml': { refused: 'invalid_visibility' } },
        messages: [
          '"team/ci" is private and cannot be imported into a public repository: copy the file, or ' +
            'make that repository public',
        ],
      },
    ],
  },
  {
    code: 'import_not_allowed',
    levels: ['error'],
    meaning:
      'A private repository has to say that others may import from it (the setting ' +
      '`allow_config_imports`).',
    text: ({ repo }) =>
      `${quote(repo)} does not let others import from it: turn on its setting "allow_config_imports"`,
    examples: [
      {
        source: 'import: team/ci:build.yml\n',
        imports: { 'team/ci:build.yml': { refused: 'import_not_allowed' } },
        messages: [
          '"team/ci" does not let others import from it: turn on its setting "allow_config_imports"',
        ],
      },
    ],
  },
  {
    code: 'unknown_import',
    levels: ['error'],
    meaning:
      'The imported file does not exist, or this repository may not read its repository. Nothing ' +
      'is built then, because half of a configuration would build something else. All builds can import ' +
      'from public repositories. From a private one only private repositories of the same owner can, if ' +
      'its setting `allow_config_imports` is on, and no pull request from a fork.',
    // `repo` names another repository than the repository of the build.
    text: ({ source, repo }) =>
      `there is no file ${quote(source)} to import that this build can read: correct the path, the ` +
      `repository or the ref${repo === undefined ? '' : importRule}`,
    examples: [
      {
        source: 'import: ci/build.yml\n',
        imports: {},
        messages: [
          'there is no file "ci/build.yml" to import that this build can read: correct the path, the ' +
            'repository or the ref',
        ],
      },
      {
        source: 'import: team/ci:build.yml\n',
        imports: {},
        messages: [
          'there is no file "team/ci:build.yml" to import that this build can read: correct the path, the ' +
            'repository or the ref. All builds can import from public repositories. From a private one ' +
            'only private repositories of the same owner can, if its setting "allow_config_imports" is on, ' +
            'and no pull request from a fork',
        ],
      },
    ],
  },
]
