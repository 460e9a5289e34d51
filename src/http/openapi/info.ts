import type { Site } from '../core/context.ts'
import type { OpenApi } from './operation.ts'

/** The `info` object of a generation's document. */
export function infoOf(
  generation: 'V2.1' | 'V3',
  { version }: Pick<Site, 'version'>,
  description: string,
): OpenApi['info'] {
  const license = { name: 'MIT License', identifier: 'MIT' }
  return { title: `build-service, API ${generation}`, version, description, license }
}
