import { quote } from '../quote.ts'
import type { Entry } from './entry.ts'

/** What keeps a file from being imported. */
export const imports: readonly Entry[] = [
  {
    code: 'invalid_ref',
    levels: ['error'],
    meaning:
      'The source of an import is either a path in the same repository, `path.yml` or ' +
      '`path.yml@ref`, or names another one, `owner/repository:path.yml@ref`. The path ends in ' +
      '`.yml`.',
    text: ({ ref }) =>
      `${quote(ref)} is no source to import from: write "path.yml" or "owner/repository:path.yml", ` +
      'with "@" and a ref after it if need be',
    examples: [],
  },
  {
    code: 'too_many_imports',
    levels: ['error'],
    meaning: 'A build reads only so many files. Those beyond are left out.',
    text: ({ max }) =>
      `a build reads at most ${String(max)} files, the others are left out: import fewer`,
    examples: [],
  },
  {
    code: 'invalid_ownership',
    levels: ['error'],
    meaning: 'A private repository may import only from private repositories of its own owner.',
    text: ({ owner }) =>
      `private repositories of ${quote(owner)}, another owner, cannot be imported from: copy the ` +
      'file, or make its repository public',
    examples: [],
  },
  {
    code: 'invalid_visibility',
    levels: ['error'],
    meaning: 'A public repository must not show what a private one holds.',
    text: ({ repo }) =>
      `${quote(repo)} is private and cannot be imported into a public repository: copy the file, or ` +
      'make that repository public',
    examples: [],
  },
  {
    code: 'import_not_allowed',
    levels: ['error'],
    meaning:
      'A private repository has to say that others may import from it (the setting ' +
      '`allow_config_imports`).',
    text: ({ repo }) =>
      `${quote(repo)} does not let others import from it: turn on its setting "allow_config_imports"`,
    examples: [],
  },
]
