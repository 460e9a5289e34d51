import path from 'node:path'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { UsageError } from '../errors.ts'
import { gitOutput } from '../git-copy.ts'
import { replaceFile } from '../linter/files/replace-file.ts'
import { reasonOf } from '../linter/reason.ts'
import type { ImportChange } from './plan.ts'
import { uncommittedFiles } from './tracked-files.ts'

/** Changes files if all of them are committed as they are, so that git can show and undo the changes. */
export async function writeChanges(
  folder: string,
  changes: readonly ImportChange[],
): Promise<void> {
  const names = changes.map(({ file }) => file.name)
  if (names.length === 0) return
  const uncommitted = await uncommittedFiles(folder, names)
  if (uncommitted.length > 0) {
    throw new UsageError(
      `there are uncommitted changes in ${listed(uncommitted)}. Commit or stash them, then try again, so ` +
        'that git can show and undo what the import changes; --dry-run shows it without changing anything',
    )
  }
  const done: string[] = []
  for (const { file, name, text } of changes) {
    try {
      if (text !== file.text) replaceFile(path.join(folder, file.name), file.bytes, text)
      done.push(file.name)
      if (name !== file.name) await gitOutput(folder, ['mv', '--', file.name, name])
    } catch (error) {
      const undo = done.length === 0 ? '' : `; undo with git what was changed: ${listed(done)}`
      throw new UsageError(`${visible(file.name)} cannot be changed: ${reasonOf(error)}${undo}`, {
        cause: error,
      })
    }
  }
}

const mostListed = 5

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).map(visible).join(', ')
  return names.length > mostListed ? `${shown} and ${names.length - mostListed} more` : shown
}
