import path from 'node:path'
import { observedBuildFiles } from '../../domain/config/observed-names.ts'
import { gitOutput } from '../git-copy.ts'

/** Tracked files in a folder that mention the observed service, without binary files and links. */
export async function mentioningFiles(folder: string): Promise<string[]> {
  const options = ['-z', '--files-with-matches', '-I', '--no-color', '--no-recurse-submodules']
  const texts = mentions.flatMap((text) => ['-e', text])
  const args = ['-c', 'grep.fullName=false', 'grep', ...options, '-F', ...texts, '--', '.']
  try {
    return namesIn(await gitOutput(folder, args, { LC_ALL: 'C' }))
  } catch (error) {
    // Exit code of git grep for no matches.
    if ((error as { code?: unknown }).code === 1) return []
    throw error
  }
}

/** Every word and text searched later contains one of these. */
const mentions = ['TRAVIS', 'travis_', '/travis', '.travis', 'encrypted_']

/** The given files whose current content is not committed: changed, staged or not tracked. */
export async function uncommittedFiles(
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const git = async (...args: string[]) =>
    namesIn(await gitOutput(folder, ['--literal-pathspecs', ...args, '--', ...names]))
  const found = [
    ...(await git('ls-files', '-z', '--modified', '--others')),
    ...(await git('diff', '--cached', '--name-only', '--relative', '-z')),
  ]
  return [...new Set(found)]
}

const namesIn = (output: string) => output.split('\0').filter((name) => name !== '')

/** Why a file with names of the observed service is still not changed; undefined if it is changed. */
export function reasonToLeave(name: string): string | undefined {
  if (/\.(?:md|markdown|rst|adoc)$/i.test(name)) return 'it is a document'
  if (/(?:^|\/)(?:node_modules|vendor|third_party|bower_components)\//.test(name)) {
    return 'it belongs to another project'
  }
  return observedBuildFiles.includes(path.posix.basename(name))
    ? 'builds read only the build file in the top folder'
    : undefined
}
