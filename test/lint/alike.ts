import { isMap } from '../../src/domain/config/config-value.ts'
import type { Finding } from '../../src/lint/finding.ts'

/** Keys that a fix replaces by one that says the opposite. */
const opposites: Readonly<Record<string, string>> = {
  skip_cleanup: 'cleanup',
  skip_upload_docs: 'upload_docs',
  no_promote: 'promote',
  no_stop_previous_version: 'stop_previous_version',
}

/** Keys that mean nothing themselves, but hold anchors: they may be renamed, and mended within. */
export function holdersOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ code, key, fix }) =>
      code === 'deprecated_key' && fix?.title.startsWith('write "_') ? [key.at(-1) ?? ''] : [],
    ),
  )
}

/**
 * A normal form, or a job, as text in which only that differs which a safe fix must not change:
 * without `sudo`, which does nothing, without holders of anchors, and with keys of old that say the
 * opposite of others written anew.
 */
export function alike(value: unknown, holders: ReadonlySet<string>): string {
  return JSON.stringify(canonical(value, holders))
}

function canonical(value: unknown, holders: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => canonical(entry, holders))
  if (!isMap(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === 'sudo' || /^[_.]/.test(key) || holders.has(key)) return []
    const opposite = opposites[key]
    if (opposite !== undefined && typeof inner === 'boolean') return [[opposite, !inner]]
    return [[key, canonical(inner, holders)]]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
