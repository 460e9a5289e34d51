/** The user that a job's programs run as. */
export interface JobUser {
  uid: number
  gid: number
}

/** The user for probing which paths other users can reach. No job ever runs as this user. */
export const probeUser: JobUser = { uid: 63_999, gid: 63_999 }

export function isRoot(): boolean {
  return process.getuid?.() === 0
}
