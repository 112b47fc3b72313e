import { z } from 'zod';

/** A text of an answer, with its example in the API document. */
export const textLike = (example: string) => z.string().meta({ example: example });
const numberLike = (example: number) => z.number().meta({ example: example });

/** Members that many answers have. */
export const member = {
  address: textLike('Via Roma 1, Milano'),
  altitude: numberLike(122),
  cardNumber: textLike('I100000123456001'),
  commandId: textLike('cmd_01j8x2m4'),
  course: numberLike(87),
  driverId: textLike('drv_0a1b2c3d4e5f6a7b8c'),
  email: textLike('carla@example.org'),
  fileId: textLike('ddd_00019f0a1b2c0a1b2c3d4e5f'),
  imei: textLike('356307042441013'),
  latitude: numberLike(45.4642),
  longitude: numberLike(9.19),
  message: textLike('Done'),
  name: textLike('Carla Rossi'),
  nextCursor: z.string().nullable().meta({ example: null }),
  polyline: textLike('_p~iF~ps|U_ulLnnqC'),
  protocol: textLike('teltonika'),
  sha256: textLike('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  speed: numberLike(53),
  targa: textLike('AB123CD'),
  timezone: textLike('Europe/Rome'),
  userId: textLike('usr_0a1b2c3d4e5f6a7b8c'),
  username: textLike('carla'),
  vin: textLike('ZFA25000002000001'),
};
