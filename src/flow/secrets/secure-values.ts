import { setImmediate } from 'node:timers/promises'
import { readMap } from '../../buildfile/read-map.ts'
import type { Node } from '../../buildfile/tree/node.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { type Decrypt, decrypter, mostDecrypted } from '../../secrets/secure-value.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { RawConfig } from '../../store/requests/raw-configs.ts'
import { findPrivateKey } from '../../store/secrets/key-pairs.ts'
import type { Context } from '../context.ts'

type SecretsContext = Pick<Context, 'db' | 'sealer'>

/** The build that values are decrypted for: its repository, and the texts of its configuration. */
export interface DecryptedBuild {
  repository: OwnerRef & { id: number; provider: 'codehost' | 'local' }
  raw: readonly Pick<RawConfig, 'source' | 'text'>[]
}

/** The decrypter for values encrypted with a repository's key; it decrypts nothing if there is no key. */
async function decrypterOf(ctx: SecretsContext, repositoryId: number): Promise<Decrypt> {
  const sealed = await findPrivateKey(ctx.db, repositoryId)
  if (sealed === undefined) return () => undefined
  return decrypter(ctx.sealer.openText(sealedIn.keyPair(repositoryId), sealed))
}

/**
 * Decrypts these values of a build: with the key of its repository, or for values in files imported from
 * other repositories of its owner, with the key of the file's repository. `raw` must not contain the texts of
 * a fork's pull request, because its author chooses the imports. Of too many different values, the first are
 * decrypted and the others skipped.
 */
export async function decryptValues(
  ctx: SecretsContext,
  { repository, raw }: DecryptedBuild,
  values: readonly string[],
): Promise<Decrypt> {
  const texts = new Map<string, string | undefined>()
  if (values.length === 0) return () => undefined
  const own = await decrypterOf(ctx, repository.id)
  const imported = await importedSecrets(ctx, repository, raw)
  const different = new Set(values)
  for (const value of [...different].slice(0, mostDecrypted)) {
    texts.set(value, own(value) ?? decryptImported(imported, value))
    // Each decryption keeps the thread busy for some milliseconds, and a file can have hundreds.
    await setImmediate()
  }
  return Object.assign((value: string) => texts.get(value), {
    skips: (value: string) => different.has(value) && !texts.has(value),
  })
}

interface ImportedSecrets {
  /** The encrypted values in the file, which is parsed at most once, and only if needed. */
  encrypted(): ReadonlySet<string>
  decrypt: Decrypt
}

function decryptImported(imported: readonly ImportedSecrets[], value: string): string | undefined {
  const written = withoutBlanks(value)
  return imported.find((each) => each.encrypted().has(written))?.decrypt(value)
}

async function importedSecrets(
  ctx: SecretsContext,
  repository: DecryptedBuild['repository'],
  raw: DecryptedBuild['raw'],
): Promise<ImportedSecrets[]> {
  const found: ImportedSecrets[] = []
  const keys = new Map<number, Decrypt>()
  for (const { source, text } of raw) {
    const slug = /^([^/:@]+\/[^/:@]+):/.exec(source)?.[1]
    // Most builds import no encrypted values.
    if (slug === undefined || !text.includes('secure')) continue
    const { provider, owner_id, owner_type } = repository
    const from = await findRepository(ctx.db, { slug, provider })
    if (!from || from.id === repository.id) continue
    if (from.owner_id !== owner_id || from.owner_type !== owner_type) continue
    const decrypt = keys.get(from.id) ?? (await decrypterOf(ctx, from.id))
    keys.set(from.id, decrypt)
    found.push({ encrypted: once(() => encryptedInText(text)), decrypt })
  }
  return found
}

function once<T>(read: () => T): () => T {
  let value: { read: T } | undefined
  return () => (value ??= { read: read() }).read
}

/** The encrypted values in the text of a build file, without white space; none if it is unreadable. */
function encryptedInText(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  // An alias is the same node again, and a few aliases can expand to millions of nodes.
  const seen = new Set<Node>()
  const waiting: Node[] = [readMap(text).root ?? []].flat()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (node.kind === 'secure' && node.value.kind === 'str') {
      found.add(withoutBlanks(node.value.value))
    }
    waiting.push(...childrenOf(node))
  }
  return found
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'seq') return node.items
  return node.kind === 'map' ? node.entries.map(({ value }) => value) : []
}

/** White space in an encrypted value is ignored; a file can break its lines. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '')
}
