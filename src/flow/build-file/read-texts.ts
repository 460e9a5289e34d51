import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { type ImportTarget, targetKey } from '../../buildfile/imports/reference.ts'
import type { Loaded, Raw } from '../../buildfile/imports/source.ts'
import { readBuildFileWithImports } from '../../buildfile/read-build-file.ts'
import { buildFilePath, type ConfigRead, configOf } from './config-read.ts'
import type { Wanted } from './read-with-imports.ts'

/** All that a configuration is made of; plain data, since a thread reads it. */
export interface Texts {
  /** The build file; null where a request by API brought all that there is. */
  own: Raw | null
  /** What it brought, in order of precedence. */
  brought: readonly Raw[]
  /** owner/name */
  repository: string
  /** What is known of the files that it imports, by their keys. */
  loaded: ReadonlyMap<string, Loaded>
}

/** Reads a build file with its imports, as far as they are known. */
export async function readTexts(
  { own, brought, repository, loaded }: Texts,
  data: ConditionData,
): Promise<{ read: ConfigRead } | Wanted> {
  const wanted: ImportTarget[] = []
  const file = await readBuildFileWithImports(own?.text ?? null, {
    path: buildFilePath,
    brought,
    repository,
    data,
    async load(target) {
      const known = loaded.get(targetKey(target))
      if (!known) wanted.push(target)
      // What is missing ends the reading before the long part of it.
      return known ?? { kind: 'missing' }
    },
  })
  return wanted.length > 0 ? { wanted } : { read: configOf(file, own, brought) }
}
