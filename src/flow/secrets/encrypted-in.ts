import { isSecure } from '../../domain/config/config-value.ts'
export interface Encrypted {
  /** `env.global[0].TOKEN`, positions counted from 0. */
  path: string
  value: string
}

/** The encrypted values (`{secure: …}`) of a config, in order. */
export function encryptedIn(config: unknown, path = ''): Encrypted[] {
  if (typeof config !== 'object' || config === null) return []
  if (Array.isArray(config)) {
    return config.flatMap((each: unknown, index) => encryptedIn(each, `${path}[${index}]`))
  }
  if (isSecure(config) && typeof config.secure === 'string') {
    return [{ path, value: config.secure }]
  }
  return Object.entries(config).flatMap(([key, each]) =>
    encryptedIn(each, path === '' ? key : `${path}.${key}`),
  )
}
