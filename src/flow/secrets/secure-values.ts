import { setImmediate } from 'node:timers/promises'
import type { OwnerRef } from '../../domain/owner.ts'
import { type Decrypt, decrypter, mostDecrypted } from '../../secrets/secure-value.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { findPrivateKey } from '../../store/key-pairs.ts'
import type { RawConfig } from '../../store/raw-configs.ts'
import { findRepository } from '../../store/repositories.ts'
import type { Context } from '../context.ts'
import { encryptedInText, withoutBlanks } from './encrypted-in-text.ts'

type SecretsContext = Pick<Context, 'db' | 'sealer'>

/** What is decrypted for: a build of a repository, whose configuration consists of these texts. */
export interface DecryptedBuild {
  repository: OwnerRef & { id: number; provider: 'codehost' | 'local' }
  raw: readonly Pick<RawConfig, 'source' | 'text'>[]
}

/** Reads what was encrypted with the key of a repository; nothing where it has none. */
async function decrypterOf(ctx: SecretsContext, repositoryId: number): Promise<Decrypt> {
  const sealed = await findPrivateKey(ctx.db, repositoryId)
  if (sealed === undefined) return () => undefined
  return decrypter(ctx.sealer.openText(sealedIn.keyPair(repositoryId), sealed))
}

/**
 * Decrypts these values of a build: those of the repository, and those that stand in imported files
 * of its owner, with the key of the repository that the file is from. The texts of a fork's pull
 * request must not be among `raw`, since its author chooses what is imported. Of too many different
 * values the first are decrypted, and the others skipped.
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
    // Each keeps the thread busy for some milliseconds, and a file can have hundreds.
    await setImmediate()
  }
  return Object.assign((value: string) => texts.get(value), {
    skips: (value: string) => different.has(value) && !texts.has(value),
  })
}

interface ImportedSecrets {
  /** What is encrypted in the file; it is read once, and only if that is needed. */
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
    // Most builds import nothing that is encrypted.
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
