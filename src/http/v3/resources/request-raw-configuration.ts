import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { RawConfig } from '../../../store/requests/raw-configs.ts'
import { text, textOrNull } from '../../openapi/schema.ts'
import { each, resourceOf } from '../core/resource.ts'

/** A raw configuration with the record that decides who can see its request. */
type RawConfigModel = RawConfig & RepositoryRecord

declare module '../core/resource.ts' {
  interface Models {
    request_raw_configuration: RawConfigModel
  }
}

const attributes = ['config', 'source', 'merge_mode'] as const

/** A source text of a request's configuration, as the user wrote it. It has no path of its own. */
export const requestRawConfiguration = resourceOf<RawConfigModel>()({
  type: 'request_raw_configuration',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: { config: each(({ text }) => text) },
  types: { config: text, merge_mode: textOrNull },
})
