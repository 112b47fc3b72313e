import { textLayout } from '#codec';

const { value } = textLayout;

const ACCESS_POINT = /([0-9A-Fa-f]{12}),(-?\d{1,4}),/g;

/** `mac,rssi,` again and again, whatever stands between. */
export const accessPoints: textLayout.Value = value((text, { draft }) => {
  for (const [, mac, rssi] of text.matchAll(ACCESS_POINT))
    draft.addAccessPoint(mac!.replace(/..(?=.)/g, '$&:'), Number(rssi));
  return true;
});
