import { visible } from '../../domain/text/escape-control-characters.ts'
import { listEncrypted, type TriedValue } from '../../flow/secrets/list-encrypted.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { UsageError } from '../errors.ts'
import { tableLines } from '../linter/table.ts'
import { printJson, withStore } from '../with-store.ts'

interface EncryptedOptions {
  repository: string
  json?: boolean
}

/** Prints where a repository has encrypted values, and which of them its key decrypts. */
export async function encrypted({ repository: slug, json }: EncryptedOptions): Promise<void> {
  const values = await withStore(async (store) => {
    const repository = await findRepository(store.db, { slug })
    if (repository) return listEncrypted(store, repository)
    throw new UsageError(`the repository ${visible(slug)} is not known here`)
  })
  if (json) printJson(values)
  else for (const line of linesOf(values)) console.log(line)
}

function linesOf(values: readonly TriedValue[]): string[] {
  const heads = ['REPOSITORY', 'BRANCH', 'BUILD', 'WHERE', 'WITH THE PRESENT KEY']
  const rows = values.map(({ repository, branch, build, path, readable }) => [
    ...[repository, branch, `#${build}`, path],
    readable === null ? 'not tried' : readable ? 'readable' : 'unreadable',
  ])
  const readable = values.filter((value) => value.readable).length
  const untried = values.filter((value) => value.readable === null).length
  const sum =
    readable === 0
      ? 'a new key pair would not make any value unreadable'
      : `a new key pair would make ${readable} of them unreadable${untried > 0 ? ', and those not tried' : ''}: encrypt them again with it`
  return [...(rows.length > 0 ? tableLines(heads, rows) : []), sum]
}
