import { countByKey, sealedColumns } from '../../store/secrets/sealed-columns.ts'
import type { Store } from '../open/open-store.ts'
import type { Examined } from './examined.ts'

/** Checks whether the keys in MASTER_KEY open the sealed values, and which keys are still needed. */
export async function examineSecrets({ db, sealer }: Store): Promise<Examined> {
  const subject = 'secrets'
  const counts = new Map<string, number>()
  for (const column of sealedColumns) {
    for (const { keyId, count } of await countByKey(db, column)) {
      counts.set(keyId, (counts.get(keyId) ?? 0) + count)
    }
  }
  const [first, ...others] = sealer.keyIds
  const sealedWith = (keys: readonly string[]) =>
    keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
  const all = sealedWith([...counts.keys()])
  const [own, older] = [sealedWith([first]), sealedWith(others)]
  if (own + older < all) {
    const found = `${all - own - older} secrets are sealed with a key that is not in MASTER_KEY`
    const remedy = 'add that key to MASTER_KEY, after the first one, and run rotate-keys'
    return { subject, verdict: 'failure', found, remedy }
  }
  if (others.length === 0)
    return { subject, verdict: 'ok', found: `the master key opens all ${all}` }
  return older === 0
    ? { subject, verdict: 'ok', found: 'only the first key of MASTER_KEY is needed' }
    : {
        subject,
        verdict: 'warning',
        found: `${older} secrets are not yet sealed with the first key of MASTER_KEY`,
        remedy: 'run build-service rotate-keys once all processes have this MASTER_KEY',
      }
}
