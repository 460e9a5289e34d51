/** The status of one record for each kind of caller. */
export type Statuses = readonly [member: number, other: number, anonymous: number]

/** One for each record of `status-scene.ts`: 1 and 3 are public repositories, 2 and 4 private, 5 is missing. */
export type OfRecords = readonly Statuses[]

const visible: Statuses = [200, 200, 200]
const hidden: Statuses = [200, 404, 404]
const absent: Statuses = [404, 404, 404]
const ofFour = (each: Statuses) => [each, each, each, each]

/** The same for every caller. */
export const ofAll: OfRecords = [visible]
export const always = (status: number): OfRecords => [[status, status, status]]

/** Repositories, and what is as visible as they are. */
export const ofRepository: OfRecords = [visible, hidden, visible, hidden, absent]

/** Records with a flag of their own: public only while both they and their repository are (D24). */
export const ofRecord: OfRecords = [visible, hidden, hidden, hidden, absent]

// In V2.1 and pages a missing login is 401.

/** The caller's own. */
export const ofCaller: OfRecords = [[200, 200, 401]]

const login: Statuses = [200, 200, 401]
const pushed: Statuses = [200, 404, 401]
const unknown: Statuses = [404, 404, 401]

/** Users: 1 is the member, 2 the other user. */
export const ofSelf: OfRecords = [[200, 404, 401], [404, 200, 401], unknown, unknown, unknown]

/** Lists, which are empty where the repository is hidden. */
export const ofList: OfRecords = [...ofFour(visible), visible]

/** Such lists in V2, where anonymous callers have to log in instead. */
export const ofListInV2: OfRecords = [visible, login, visible, login, login]

/** Reads that need a login. */
export const ofKnown: OfRecords = [login, pushed, login, pushed, unknown]

/** Without the right, 403 where the repository is visible. */
export const ofPushable: OfRecords = [[200, 403, 401], pushed, [200, 403, 401], pushed, unknown]

/** Without the right to push, or to administer, 404. */
export const ofPusher: OfRecords = [...ofFour(pushed), unknown]

/** Such writes without the body that they need. */
export const ofBodiless: OfRecords = [...ofFour([422, 404, 401]), unknown]

/** Writes of a record with a flag of its own, and their status without the right. */
export const written = (done: number, refused: number): OfRecords => [
  [done, refused, 401],
  [done, 404, 401],
  [done, 404, 401],
  [done, 404, 401],
  unknown,
]

// In V3 a missing login is 403.

const absentInV3: Statuses = [404, 404, 403]

/** The caller's own. */
export const ofCallerInV3: OfRecords = [[200, 200, 403]]

/** Users: 1 is the member, 2 the other user. */
export const ofSelfInV3: OfRecords = [[200, 404, 403], [404, 200, 403], absentInV3]

/** Record 1 of the member and 2 of the other user, and their status without the right. */
export const ownedInV3 = (done: number, refused = 404): OfRecords => [
  [done, refused, 403],
  [refused, done, 403],
]

/** Record 1 of the member, or of an organization that the member administers. */
export const ofMemberInV3 = (done: number): OfRecords => [[done, 404, 403], absentInV3]

/** Organization 1. */
export const ofOrganization = (done: number): OfRecords => [[done, done, 403], absentInV3]

/** Organization or installation 1, which everyone sees. */
export const ofPublic: OfRecords = [visible, absent]

/** The installation, which none of them administers. */
export const ofAdministrator: OfRecords = [absentInV3]

/** What needs a right on a repository, and its status without the right. */
export const writtenInV3 = (done: number, refused: number): OfRecords => [
  [done, refused, 403],
  [done, 404, 403],
  [done, refused, 403],
  [done, 404, 403],
  absentInV3,
]

/** What is hidden without the right. */
export const ofPusherInV3 = (done: number) => writtenInV3(done, 404)

/** Writes of a record with a flag of its own. */
export const changedInV3 = (done: number): OfRecords => [
  [done, 403, 403],
  [done, 404, 403],
  [done, 404, 403],
  [done, 404, 403],
  absentInV3,
]
