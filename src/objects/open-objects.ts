import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFileStore } from './file-store.ts'
import { type Objects, type ObjectStore, StoreError } from './objects.ts'
import { openS3Store, type S3Access } from './s3-store.ts'

export interface ObjectSettings extends S3Access {
  objectStoreUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
}

/** The place of objects in the data folder, wherever that is. */
const inDataFolder = 'file:'

/**
 * Opens the store of the settings. Without one it is in the data folder, unless the database is given: then
 * other machines can use it too, which would look for objects in folders of their own.
 */
export function openObjects(settings: ObjectSettings): Objects {
  const stores = new Map<string, ObjectStore>()
  const at = (place: string): ObjectStore => {
    const known = stores.get(place)
    if (known) return known
    const store = storeAt(place, settings)
    stores.set(place, store)
    return store
  }
  const place = placeOfNew(settings)
  return { current: place === undefined ? undefined : at(place), at }
}

type PlaceSettings = Pick<
  ObjectSettings,
  'objectStoreUrl' | 'databaseUrl' | 'awsEndpointUrl' | 'awsRegion'
>

/** Where new objects are written, as it is stored with them: the address, and for S3 its host. */
export function placeOfNew(settings: PlaceSettings): string | undefined {
  const { objectStoreUrl, databaseUrl, awsEndpointUrl, awsRegion } = settings
  if (objectStoreUrl === undefined) return databaseUrl === undefined ? inDataFolder : undefined
  const { protocol, host, pathname } = new URL(objectStoreUrl)
  if (protocol === 'file:') return `file://${pathname.replace(/(?<=.)\/+$/, '')}`
  const endpoint = awsEndpointUrl ?? `https://s3.${awsRegion}.amazonaws.com`
  return `s3://${host}${pathname.replace(/\/+$/, '')}?endpoint=${endpoint.replace(/\/+$/, '')}`
}

/** The folder of a place outside of the data folder, if it is one. */
export function folderOf(place: string): string | undefined {
  return place.startsWith('file://') ? fileURLToPath(place) : undefined
}

function storeAt(place: string, settings: ObjectSettings): ObjectStore {
  if (place === inDataFolder) {
    const folder = path.join(settings.dataDir, 'objects')
    return openFileStore({ place, folder, creates: true })
  }
  const folder = folderOf(place)
  if (folder !== undefined) return openFileStore({ place, folder, creates: false })
  if (place.startsWith('s3:')) return openS3Store(place, settings)
  throw new StoreError(`there are objects in ${place}, which this version cannot read`)
}
