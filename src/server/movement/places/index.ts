export { createGeocoder, type Geocoder } from './geocoder.ts';
export { describePlace, nearestPlace } from './places.ts';
export { type AddressesOf, addPlaceRoutes, type Language, language } from './routes.ts';
